package facet.node.worker;

import facet.node.control.ControlException;
import facet.node.control.Request;
import facet.node.log.Log;
import facet.node.log.Who;
import facet.node.slice.Slice;
import facet.node.slice.Tally;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A worker that has its slice, and the sessions in it. A thread reads what it tells. */
final class RunningWorker {
    private static final Duration ANSWER = Duration.ofSeconds(30);
    private static final long USAGE_MILLIS = 1000;

    /** How long it may take to end, and a session of it; then it is killed. */
    static final Duration END = Duration.ofSeconds(15);

    private final String slice;
    private final Tally tally;
    private final Log log;
    private final Process process;
    private final WorkerLink link;
    private final Map<Integer, RemoteSession> sessions = new HashMap<>();
    private final Thread thread;
    private long answers;
    private long answered = System.nanoTime();
    private long changes;
    private boolean over;
    private boolean stopping;

    /**
     * @param tally of the slice; faults are told to it
     */
    RunningWorker(StartedWorker started, String slice, Tally tally, Log log) {
        this.slice = slice;
        this.tally = tally;
        this.log = log;
        process = started.process();
        link = started.link();
        log.debug(Who.slice(slice), "has worker " + process.pid());
        thread = Thread.ofPlatform().name("facet-worker-" + slice).daemon().start(this::receiveAll);
    }

    synchronized void add(RemoteSession session) throws IOException {
        if (over) {
            throw new IOException("the worker has just ended; try again");
        }
        sessions.put(session.options().id(), session);
    }

    WorkerLink link() {
        return link;
    }

    synchronized boolean has(RemoteSession session) {
        return sessions.get(session.options().id()) == session;
    }

    void kill() {
        process.destroyForcibly();
    }

    synchronized void forget(RemoteSession session) {
        sessions.remove(session.options().id());
    }

    synchronized boolean isOver() {
        return over;
    }

    private void receiveAll() {
        try {
            while (true) {
                Optional<WorkerLink.Received> received = link.receive();
                if (received.isEmpty()) {
                    break;
                }
                perform(received.get().request());
            }
        } catch (IOException | ControlException e) {
            log.error(Who.slice(slice), "its worker: " + e.getMessage());
        } finally {
            end();
        }
    }

    private void perform(Request request) throws ControlException {
        switch (request.verb()) {
            case "ended" -> {
                RemoteSession session;
                synchronized (this) {
                    session = sessions.remove((int) request.number("session"));
                }
                if (session != null) {
                    session.over(Used.parse(request.text("used")).withoutMemory());
                }
            }
            case "used" -> used(request);
            case "usage" -> {
                used(request);
                synchronized (this) {
                    answers++;
                    answered = System.nanoTime();
                    notifyAll();
                }
            }
            case "fault" -> tally.fault((int) request.number("session"), request.text("text"));
            case "changed" -> {
                synchronized (this) {
                    changes++;
                    notifyAll();
                }
            }
            default -> throw new ControlException("it said '" + request.verb() + "'");
        }
    }

    private synchronized void used(Request request) {
        for (Map.Entry<String, String> each : request.values().entrySet()) {
            RemoteSession session = sessions.get(Integer.parseInt(each.getKey()));
            if (session != null) {
                session.used(Used.parse(each.getValue()));
            }
        }
    }

    /** The worker is gone, and its sessions with it. */
    private void end() {
        process.destroyForcibly();
        link.close();
        List<RemoteSession> left;
        boolean expected;
        synchronized (this) {
            over = true;
            expected = stopping;
            left = List.copyOf(sessions.values());
            sessions.clear();
            notifyAll();
        }
        if (!left.isEmpty() && !expected) {
            log.error(
                    Who.slice(slice),
                    "its worker " + process.pid() + " died with " + left.size() + " sessions");
        }
        for (RemoteSession each : left) {
            each.abandon();
        }
    }

    /** Asks what the sessions use, unless the worker is too busy to tell. */
    void refresh() {
        try {
            synchronized (this) {
                if (over) {
                    return;
                }
                long before = answers;
                link.send("usage", new int[0]);
                long end = System.nanoTime() + USAGE_MILLIS * 1_000_000;
                while (answers == before && !over && System.nanoTime() - end < 0) {
                    wait(USAGE_MILLIS);
                }
            }
        } catch (IOException e) {
            log.debug(Who.slice(slice), "its worker: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Without sessions there is nothing that could be old. */
    synchronized long measuredNanos() {
        return sessions.isEmpty() ? System.nanoTime() : answered;
    }

    /** Tells the worker, and waits until it has understood. */
    void change(Slice other) throws IOException {
        try {
            synchronized (this) {
                long before = changes;
                link.send(
                        "change",
                        new int[0],
                        "memory",
                        other.memory(),
                        "compute",
                        other.terms().most());
                long end = System.nanoTime() + ANSWER.toNanos();
                while (changes == before && !over) {
                    long left = (end - System.nanoTime()) / 1_000_000;
                    if (left <= 0) {
                        throw new IOException(
                                "the worker of slice " + other.name() + " does not answer");
                    }
                    wait(left);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while a slice was changed", e);
        }
    }

    void stop() {
        synchronized (this) {
            stopping = true;
        }
        link.close();
        try {
            if (!process.waitFor(END.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
