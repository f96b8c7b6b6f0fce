package facet.node.worker;

import facet.abi.worker.AskUsage;
import facet.abi.worker.Change;
import facet.abi.worker.Changed;
import facet.abi.worker.Close;
import facet.abi.worker.Ended;
import facet.abi.worker.Fault;
import facet.abi.worker.Lacking;
import facet.abi.worker.MalformedMessage;
import facet.abi.worker.Ready;
import facet.abi.worker.Refused;
import facet.abi.worker.Release;
import facet.abi.worker.Released;
import facet.abi.worker.Resident;
import facet.abi.worker.Room;
import facet.abi.worker.SessionUse;
import facet.abi.worker.Stalled;
import facet.abi.worker.Stopped;
import facet.abi.worker.ToDaemon;
import facet.abi.worker.ToWorker;
import facet.abi.worker.Usage;
import facet.abi.worker.Warm;
import facet.host.ledger.Tally;
import facet.host.ledger.UnsupportedCounts.Kind;
import facet.log.Log;
import facet.log.Who;
import facet.node.server.HostPlace;
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
final class RunningWorker implements IdleWorkers.Idler {
    /** So long somebody waits for an answer; a worker that is too busy answers later. */
    private static final Duration ANSWER = Duration.ofSeconds(1);

    /** How long it may take to end when its slice does; then it is killed. */
    private static final Duration END = Duration.ofSeconds(1);

    /** How long it may take to let go of a slice that has ended; nobody waits for that. */
    private static final Duration RELEASE = Duration.ofSeconds(10);

    /** Who gets it after this slice. */
    interface Next {
        /** It was told to let go of its slice. */
        void comes(StartedWorker worker);

        /**
         * @param released whether it has
         */
        void came(StartedWorker worker, boolean released);
    }

    private final Tenure tenure;
    private final String slice;
    private final Lent lent;
    private final Tally tally;
    private final Runnable died;
    private final IdleWorkers idle;
    private final Log log;
    private final StartedWorker started;
    private final Process process;
    private final int jvm;
    private final WorkerLink<ToWorker, ToDaemon> link;
    private final Pace pace = new Pace();
    private final Map<Integer, RemoteSession> sessions = new HashMap<>();
    private final EndingSessions endings;
    private final Questions questions;
    private final Thread thread;
    private long changes;
    private boolean over;

    /** It is to end, or to have no slice any more: no session comes. */
    private boolean stopping;

    /** It was told to let go of its slice, and has. */
    private boolean releasing;

    private boolean released;

    /** A fault has left its devices useless: whoever comes next needs another one. */
    private volatile boolean spent;

    private volatile String stalled = "";

    /**
     * @param lent goes back when it ends
     * @param tally of the slice; faults are told to it
     * @param died runs when it ends though nobody wanted it to
     */
    RunningWorker(Tenure tenure, Lent lent, Tally tally, Runnable died, IdleWorkers idle, Log log) {
        this.tenure = tenure;
        this.slice = tenure.slice();
        this.lent = lent;
        this.tally = tally;
        this.died = died;
        this.idle = idle;
        this.log = log;
        started = tenure.worker();
        process = started.process();
        jvm = started.jvm();
        link = started.link();
        questions = new Questions(() -> link.send(new AskUsage()), slice, log);
        endings =
                new EndingSessions(
                        jvm,
                        lent.poisoned() ? EndingSessions.STOP_OF_LAUNCHES : EndingSessions.STOP,
                        this::has,
                        this::replace);
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
        if (sessions.isEmpty() && !isOver()) {
            idle.add(this);
        }
        notifyAll();
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
        if (has(session)) {
            tenure.kill(session.options().who(), "does not end; its worker is killed");
        }
    }

    synchronized void forget(RemoteSession session) {
        remove(session.options().id());
    }

    /** Whether the next session needs another one. */
    synchronized boolean isOver() {
        return over || stopping;
    }

    /** What its driver does not answer; empty: nothing. */
    String stalled() {
        return stalled;
    }

    boolean isSpent() {
        return spent;
    }

    /** Bytes that it has on devices. */
    long memoryResident() {
        return lent.resident();
    }

    HostPlace.OwnProcess process() {
        return new HostPlace.OwnProcess(jvm, ProcessMemory.ofItsOwn(jvm));
    }

    // ---- what it tells

    private void receiveAll() {
        boolean goesOn = false;
        try {
            while (!goesOn) {
                Optional<WorkerLink.Received<ToDaemon>> received = link.receive();
                if (received.isEmpty()) {
                    break;
                }
                LockSupport.parkNanos(this, pace.enter(System.nanoTime()));
                goesOn = perform(received.get().message());
            }
        } catch (ClosedChannelException e) {
            log.debug(Who.slice(slice), "its worker was let go");
        } catch (IOException | MalformedMessage e) {
            if (!isOver()) {
                log.error(Who.slice(slice), "its worker: " + e);
            }
        } finally {
            if (goesOn) {
                released();
            } else {
                end();
            }
        }
    }

    /**
     * @return whether that was the last word about this slice
     */
    private boolean perform(ToDaemon message) throws MalformedMessage {
        switch (message) {
            case Ended ended -> {
                Used last = Used.of(ended.use(), lent.devices()).withoutMemory();
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
                    questions.answered();
                }
            }
            case Fault fault -> {
                tenure.spoil();
                spent |= lent.poisoned();
                tally.fault(fault.session(), Log.clean(fault.text()));
            }
            case Stalled told -> {
                stalled = Log.clean(told.text());
                if (!stalled.isEmpty()) {
                    tenure.spoil();
                    tally.fault(0, "its driver " + stalled);
                }
            }
            case Lacking lacking -> {
                for (Refused each : lacking.refused()) {
                    boolean _ =
                            tally.unsupported().add(kind(each.kind()), each.name(), each.count());
                }
            }
            case Changed changed -> {
                synchronized (this) {
                    changes++;
                    notifyAll();
                }
            }
            case Room room -> lent.room(room.device()).told(RoomMessages.report(room));
            case Resident told ->
                    lent.room(told.device())
                            .used(told.resident(), told.out(), RoomMessages.moves(told));
            case Warm warm -> throw twice("Warm");
            case Ready ready -> throw twice("Ready");
            case Released last -> {
                checkReleasing();
                return true;
            }
        }
        return false;
    }

    private synchronized void checkReleasing() throws MalformedMessage {
        if (!releasing) {
            throw new MalformedMessage("it said 'Released' though it has a slice");
        }
    }

    private static MalformedMessage twice(String name) {
        return new MalformedMessage("it said '" + name + "' a second time");
    }

    private synchronized void used(List<SessionUse> told) throws MalformedMessage {
        for (SessionUse each : told) {
            Used used = Used.of(each, lent.devices());
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
        giveBack();
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

    /** What the slice had is free for others. */
    private void giveBack() {
        questions.close();
        lent.giveBack();
    }

    // ---- what it is asked

    /** Asks what the sessions use. */
    HostPlace.Asked ask() {
        return questions.ask();
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
        return sessions.isEmpty() ? System.nanoTime() : questions.answeredNanos();
    }

    /**
     * Tells the worker, and waits for a moment until it has understood. One that is too busy to
     * answer does what it was told when it comes to it: programs see a limit when it does.
     */
    void change(Slice other) throws IOException {
        synchronized (this) {
            if (isOver()) {
                return;
            }
            started.limit(DeviceMemories.sum(other.memory(), lent.memories()));
            long before = changes;
            link.send(new Change(other.memory()));
            await(() -> changes != before, System.nanoTime() + ANSWER.toNanos());
        }
        lent.promised(other.memory());
    }

    // ---- its end

    /**
     * Its slice has ended. Ends the sessions that are left, and lets the worker go on without it.
     *
     * @param next hears when nothing of the slice is left in it, or that this took too long; on any
     *     thread
     * @return false when it cannot have another slice: it is to be stopped, and nobody hears of it
     */
    boolean release(Next next) {
        synchronized (this) {
            if (isOver()) {
                return false;
            }
            stopping = true;
        }
        idle.remove(this);
        if (!endSessions()) {
            process.destroyForcibly();
            return false;
        }
        giveBack();
        if (!tenure.end() || !tellsToRelease()) {
            return false;
        }
        next.comes(started);
        Thread.ofVirtual().name("facet-worker-release").start(() -> awaitReleased(next));
        return true;
    }

    /** Whether all have ended. Nobody waits for a worker that does not read. */
    private boolean endSessions() {
        List<RemoteSession> left;
        synchronized (this) {
            left = List.copyOf(sessions.values());
        }
        try {
            for (RemoteSession each : left) {
                if (!tenure.trySend(new Close(each.options().id(), "its slice has ended"))) {
                    return false;
                }
            }
        } catch (IOException e) {
            return false; // it is gone
        }
        synchronized (this) {
            await(sessions::isEmpty, System.nanoTime() + END.toNanos());
            return sessions.isEmpty();
        }
    }

    private boolean tellsToRelease() {
        synchronized (this) {
            releasing = true;
        }
        try {
            return link.trySend(new Release());
        } catch (IOException e) {
            return false; // it is gone
        }
    }

    private void awaitReleased(Next next) {
        boolean done;
        synchronized (this) {
            await(() -> released, System.nanoTime() + RELEASE.toNanos());
            done = released;
            over = true;
        }
        if (!done) {
            log.debug(Who.slice(slice), "its worker " + process.pid() + " did not let go of it");
            process.destroyForcibly();
        }
        next.came(started, done);
    }

    private synchronized void released() {
        released = true;
        notifyAll();
    }

    /** Ends it, unless a session has come. */
    @Override
    public void retire() {
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
        boolean _ = tenure.end();
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

    /** A worker may say any number. */
    private static Kind kind(int number) {
        Kind[] all = Kind.values();
        return number < all.length ? all[number] : Kind.INSTRUCTION;
    }
}
