package facet.node.worker;

import facet.abi.worker.AskUsage;
import facet.abi.worker.Change;
import facet.abi.worker.Changed;
import facet.abi.worker.Ended;
import facet.abi.worker.Fault;
import facet.abi.worker.Lacking;
import facet.abi.worker.MalformedMessage;
import facet.abi.worker.Ready;
import facet.abi.worker.Refused;
import facet.abi.worker.Resident;
import facet.abi.worker.Room;
import facet.abi.worker.SessionUse;
import facet.abi.worker.Stopped;
import facet.abi.worker.ToDaemon;
import facet.abi.worker.ToWorker;
import facet.abi.worker.Usage;
import facet.abi.worker.Warm;
import facet.host.ledger.Tally;
import facet.host.ledger.UnsupportedCounts.Kind;
import facet.host.residency.RemoteRoom;
import facet.log.Log;
import facet.log.Who;
import facet.node.server.HostPlace;
import facet.node.sharing.Lease;
import facet.slices.Slice;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A worker that has its slice, and the sessions in it. A thread reads what it tells. */
final class RunningWorker {
    /** So long somebody waits for an answer; a worker that is too busy answers later. */
    private static final Duration ANSWER = Duration.ofSeconds(1);

    /** How long it may take to end when its slice does; then it is killed. */
    private static final Duration END = Duration.ofSeconds(1);

    private final String slice;
    private final int devices;
    private final List<Long> memories;
    private final Tally tally;
    private final Runnable died;
    private final IdleWorkers idle;
    private final Log log;
    private final StartedWorker started;
    private final Process process;
    private final int jvm;
    private final WorkerLink<ToWorker, ToDaemon> link;
    private final List<RemoteRoom> rooms;
    private final @Nullable Lease lease;
    private final Pace pace = new Pace();
    private final Map<Integer, RemoteSession> sessions = new HashMap<>();
    private final EndingSessions endings;
    private final Thread thread;
    private long questions;
    private long answers;

    /** Number of the answer that is new enough for all who have asked. */
    private long wanted;

    private long answered = System.nanoTime();
    private long changes;
    private boolean over;
    private boolean stopping;

    /**
     * @param memories bytes that each device has
     * @param rooms what it was lent of each device; closed with it
     * @param lease of seats, closed with it; null: devices are not shared
     * @param tally of the slice; faults are told to it
     * @param died runs when it ends though nobody wanted it to
     */
    RunningWorker(
            StartedWorker started,
            String slice,
            List<Long> memories,
            List<RemoteRoom> rooms,
            @Nullable Lease lease,
            Tally tally,
            Runnable died,
            IdleWorkers idle,
            Log log) {
        this.slice = slice;
        this.memories = memories;
        this.rooms = List.copyOf(rooms);
        this.lease = lease;
        this.devices = rooms.size();
        this.tally = tally;
        this.died = died;
        this.idle = idle;
        this.log = log;
        this.started = started;
        process = started.process();
        jvm = started.jvm();
        link = started.link();
        endings = new EndingSessions(jvm, this::has, this::replace);
        log.debug(Who.slice(slice), "has worker " + process.pid());
        thread = Thread.ofPlatform().name("facet-worker-" + slice).daemon().start(this::receiveAll);
    }

    // ---- its sessions

    /** False when it takes no more. */
    synchronized boolean add(RemoteSession session) {
        if (over || stopping) {
            return false;
        }
        sessions.put(session.options().id(), session);
        idle.remove(this);
        return true;
    }

    /**
     * @return null when it is not there
     */
    private synchronized @Nullable RemoteSession remove(int id) {
        RemoteSession removed = sessions.remove(id);
        if (sessions.isEmpty() && !over && !stopping) {
            idle.add(this);
        }
        return removed;
    }

    WorkerLink<ToWorker, ToDaemon> link() {
        return link;
    }

    synchronized boolean has(RemoteSession session) {
        return find(session.options().id()) == session;
    }

    /**
     * @return null when it is not there
     */
    private synchronized @Nullable RemoteSession find(int id) {
        return sessions.get(id);
    }

    /** A session was told to end. */
    void isEnding(RemoteSession session) {
        endings.add(session);
    }

    /** Other sessions of the slice go with it: that they share a process is the slice's own. */
    private void replace(RemoteSession session) {
        log.error(session.options().who(), "does not end; its worker is killed");
        process.destroyForcibly();
    }

    synchronized void forget(RemoteSession session) {
        remove(session.options().id());
    }

    /** Whether the next session needs another one. */
    synchronized boolean isOver() {
        return over || stopping;
    }

    /** Bytes that it has on devices. */
    long memoryResident() {
        return rooms.stream().mapToLong(RemoteRoom::resident).sum();
    }

    HostPlace.OwnProcess process() {
        return new HostPlace.OwnProcess(jvm, ProcessMemory.ofItsOwn(jvm));
    }

    // ---- what it tells

    private void receiveAll() {
        try {
            while (true) {
                Optional<WorkerLink.Received<ToDaemon>> received = link.receive();
                if (received.isEmpty()) {
                    break;
                }
                LockSupport.parkNanos(this, pace.enter(System.nanoTime()));
                perform(received.get().message());
            }
        } catch (ClosedChannelException e) {
            log.debug(Who.slice(slice), "its worker was let go");
        } catch (IOException | MalformedMessage e) {
            if (!isOver()) {
                log.error(Who.slice(slice), "its worker: " + e);
            }
        } finally {
            end();
        }
    }

    private void perform(ToDaemon message) throws MalformedMessage {
        switch (message) {
            case Ended ended -> {
                Used last = Used.of(ended.use(), devices).withoutMemory();
                RemoteSession session = remove(ended.use().session());
                if (session != null) {
                    session.over(last);
                }
            }
            case Stopped stopped -> {
                RemoteSession session = find(stopped.session());
                if (session != null) {
                    session.stopped();
                }
            }
            case Usage usage -> {
                used(usage.sessions());
                if (usage.last()) {
                    answered();
                }
            }
            case Fault fault -> tally.fault(fault.session(), Log.clean(fault.text()));
            case Lacking lacking -> {
                for (Refused each : lacking.refused()) {
                    boolean _ =
                            tally.unsupported()
                                    .add(
                                            each.call() ? Kind.CALL : Kind.INSTRUCTION,
                                            each.name(),
                                            each.count());
                }
            }
            case Changed changed -> {
                synchronized (this) {
                    changes++;
                    notifyAll();
                }
            }
            case Room room -> room(room.device()).told(RoomMessages.report(room));
            case Resident told ->
                    room(told.device()).used(told.resident(), told.out(), RoomMessages.moves(told));
            case Warm warm -> throw twice("Warm");
            case Ready ready -> throw twice("Ready");
        }
    }

    private static MalformedMessage twice(String name) {
        return new MalformedMessage("it said '" + name + "' a second time");
    }

    private RemoteRoom room(int device) throws MalformedMessage {
        if (device >= devices) {
            throw new MalformedMessage("it spoke of device " + device);
        }
        return rooms.get(device);
    }

    private synchronized void used(List<SessionUse> told) throws MalformedMessage {
        for (SessionUse each : told) {
            Used used = Used.of(each, devices);
            RemoteSession session = sessions.get(each.session());
            if (session != null) {
                session.used(used);
            }
        }
    }

    /** The worker is gone, and its sessions with it. */
    private void end() {
        process.destroyForcibly();
        link.close();
        rooms.forEach(RemoteRoom::close);
        if (lease != null) {
            lease.close();
        }
        List<RemoteSession> left;
        boolean expected;
        synchronized (this) {
            over = true;
            expected = stopping;
            left = List.copyOf(sessions.values());
            sessions.clear();
            notifyAll();
        }
        idle.remove(this);
        if (!expected) {
            died.run();
            log.error(
                    Who.slice(slice),
                    "its worker " + process.pid() + " died with " + left.size() + " sessions");
        }
        for (RemoteSession each : left) {
            each.abandon();
        }
    }

    // ---- what it is asked

    /**
     * Asks what the sessions use. One question is under way at a time: a worker that does not
     * answer is not told more and more, until there is no room and whoever tells it waits too.
     */
    synchronized HostPlace.Asked ask() {
        if (over) {
            return HostPlace.Asked.ANSWERED;
        }
        // An answer that is on its way may be of a moment before this one.
        wanted = questions + 1;
        if (questions == answers) {
            question();
        }
        long number = wanted;
        return until -> awaitAnswer(number, until);
    }

    /** The monitor is held. */
    private void question() {
        questions++;
        try {
            link.send(new AskUsage());
        } catch (IOException e) {
            log.debug(Who.slice(slice), "its worker: " + e.getMessage());
        }
    }

    private synchronized void answered() {
        answers++;
        answered = System.nanoTime();
        if (wanted > questions) {
            question();
        }
        notifyAll();
    }

    private synchronized void awaitAnswer(long number, long until) {
        await(() -> answers >= number, until);
    }

    /** Waits for something, but not for longer than that; the monitor is held. */
    @SuppressWarnings("WaitNotInLoop") // it is, by time
    private void await(BooleanSupplier condition, long until) {
        try {
            long left = until - System.nanoTime();
            while (!condition.getAsBoolean() && !over && left > 0) {
                TimeUnit.NANOSECONDS.timedWait(this, left);
                left = until - System.nanoTime();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Without sessions there is nothing that could be old. */
    synchronized long measuredNanos() {
        return sessions.isEmpty() ? System.nanoTime() : answered;
    }

    /**
     * Tells the worker, and waits for a moment until it has understood. One that is too busy to
     * answer does what it was told when it comes to it: programs see a limit when it does.
     */
    void change(Slice other) throws IOException {
        synchronized (this) {
            if (over) {
                return;
            }
            started.limit(DeviceMemories.sum(other.memory(), memories));
            long before = changes;
            link.send(new Change(other.memory()));
            await(() -> changes != before, System.nanoTime() + ANSWER.toNanos());
        }
        for (int i = 0; i < rooms.size(); i++) {
            rooms.get(i).promised(Math.min(other.memory(), memories.get(i)));
        }
    }

    // ---- its end

    /** Ends it, unless a session has come. */
    void retire() {
        synchronized (this) {
            if (!sessions.isEmpty() || over || stopping) {
                return;
            }
            stopping = true;
        }
        log.debug(Who.slice(slice), "its worker " + process.pid() + " was idle and ends");
        link.close();
    }

    /** Its process, as the daemon numbers it. */
    int jvm() {
        return jvm;
    }

    void stop() {
        synchronized (this) {
            stopping = true;
        }
        link.close();
        try {
            if (!process.waitFor(END.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly();
            }
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
