package facet.device.cpu;

import facet.device.Arbiter;
import facet.device.cpu.Line.Piece;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The seats of the device: as many pieces of work run at once. Work waits in a line of its share;
 * the arbiter says whose is next. A thread that is held up inside a kernel leaves its seat to
 * another thread, and waits in the line until it gets one again.
 *
 * <p>What is stopped waits for nobody's turn: it needs a seat for the microseconds of its end, and
 * may be of a share that would not get one for long.
 *
 * <p>The arbiter's monitor guards all fields. It is a leaf: nothing is called while it is held but
 * the arbiter.
 */
final class Seats implements AutoCloseable {
    /**
     * A microsecond of spinning, for work that is just coming. Longer, and the sessions and
     * programs that bring it have no core. To yield in between does not help: Linux takes that for
     * the end of a whole turn since 6.18, and the turns of such threads are long.
     */
    private static final int SPINS = 100;

    /** Inside a block work goes on so long beyond its deadline: its end is a cheaper place. */
    private static final long GRACE_NANOS = 150_000;

    /** Empty lines are kept for the next piece, up to so many. */
    private static final int MOST_LINES = 256;

    private final Arbiter arbiter;
    private final String name;
    private final int count;
    private final Line.Threads threads;
    private final IdentityHashMap<Arbiter.Share, Line> lines = new IdentityHashMap<>();

    /** Lines with work that has to wait for threads. */
    private final Set<Line> heldBack = new LinkedHashSet<>();

    /** What was stopped, and needs a seat to end. */
    private final ArrayDeque<Piece> ending = new ArrayDeque<>();

    private final Set<Worker> idle = new HashSet<>();
    private final ArrayDeque<Worker> spare = new ArrayDeque<>();
    private int queued;
    private final AtomicInteger numbers = new AtomicInteger();

    /** Changes with each piece that comes: idle workers look at it while they spin. */
    private volatile int arrivals;

    private volatile boolean closed;

    /** Hears when work has left its seat in the middle, and when it goes on. */
    interface Seated {
        /** Nobody counts it. */
        Seated UNCOUNTED =
                new Seated() {
                    @Override
                    public void suspended() {}

                    @Override
                    public void resumed() {}
                };

        void suspended();

        void resumed();
    }

    Seats(String name, int count, Arbiter arbiter) {
        this.name = name;
        this.count = count;
        this.arbiter = arbiter;
        this.threads = new Line.Threads(count);
        arbiter.whenChanged(this::wakeIdle);
        for (int seat = 0; seat < count; seat++) {
            start().sit(seat, null);
        }
    }

    private Worker start() {
        Worker worker = new Worker(this, name + "-worker-" + numbers.incrementAndGet());
        worker.start();
        return worker;
    }

    void codeMade(Control control) {
        arbiter.codeMade(control.share());
    }

    int count() {
        return count;
    }

    boolean isClosed() {
        return closed;
    }

    // ---- what comes

    Piece submit(Control control, Runnable work) {
        Piece piece = new Piece(control, work, null);
        enqueue(piece);
        return piece;
    }

    /** A thread that has left its seat may go on. */
    void submit(Control control, Worker thread) {
        enqueue(new Piece(control, null, thread));
    }

    private void enqueue(Piece piece) {
        Worker sleeper;
        synchronized (arbiter) {
            put(piece, System.nanoTime());
            sleeper = anyIdle();
        }
        arbiter.tell();
        if (sleeper != null) {
            wake(sleeper);
        }
    }

    /** Those that sleep have a seat. */
    private void wake(Worker sleeper) {
        arbiter.wake(sleeper.seat(), sleeper);
    }

    private @Nullable Worker anyIdle() {
        if (idle.isEmpty()) {
            return null;
        }
        Worker worker = idle.iterator().next();
        idle.remove(worker);
        return worker;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // under the monitor
    private void put(Piece piece, long now) {
        if (piece.control().isStopped()) {
            ending.add(piece);
        } else {
            Line line = line(piece.control());
            line.add(piece, now);
            noteHeldBack(line);
        }
        queued++;
        arrivals++;
    }

    private Line line(Control control) {
        return lines.computeIfAbsent(control.share(), each -> new Line(arbiter, each, threads));
    }

    private void noteHeldBack(Line line) {
        if (line.isHeldBack()) {
            heldBack.add(line);
        }
    }

    /** Takes back what has not begun; nothing when it has. */
    void withdraw(Piece piece) {
        synchronized (arbiter) {
            Line line = lines.get(piece.control().share());
            if (ending.remove(piece) || line != null && line.withdraw(piece, System.nanoTime())) {
                queued--;
            }
        }
        arbiter.tell();
    }

    /** What waits of a context that was stopped gets the next seats. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // under the monitor
    void hurry(Control control) {
        synchronized (arbiter) {
            Line line = lines.get(control.share());
            List<Piece> all = line == null ? List.of() : line.takeAll(control, System.nanoTime());
            if (all.isEmpty()) {
                return;
            }
            ending.addAll(all);
            arrivals++;
        }
        wakeIdle();
    }

    // ---- a worker's life

    /** What a worker does next on its seat; null: it has no seat any more. */
    @Nullable Runnable next(Worker worker, boolean ended) {
        boolean first = ended;
        boolean waited = false;
        while (!closed) {
            int seen = arrivals;
            int wakes = arbiter.wakes(worker.seat());
            Piece piece;
            Worker other = null;
            long until;
            synchronized (arbiter) {
                long now = System.nanoTime();
                if (first) {
                    arbiter.release(worker.seat(), now);
                    ended(worker, now);
                    first = false;
                }
                idle.remove(worker);
                piece = take(worker.seat(), now);
                until = piece == null ? arbiter.nextPick(now) : 0;
                if (piece != null && waited && queued > 0) {
                    other = anyIdle();
                }
            }
            arbiter.tell();
            if (other != null) {
                // What made this seat busy again may be for another one too.
                wake(other);
            }
            if (piece == null) {
                awaitArrival(worker, seen, wakes, until);
                waited = true;
            } else if (piece.thread() != null) {
                // It goes on where it was; this thread is in nobody's way until it is wanted.
                piece.thread().sit(worker.stand(), null);
                return null;
            } else {
                worker.worksFor(piece.control().share());
                return piece.work();
            }
        }
        return null;
    }

    /** The thread of work that has ended is free for other work of its share. */
    private void ended(Worker worker, long now) {
        Arbiter.Share share = worker.rests();
        Line line = share == null ? null : lines.get(share);
        if (line == null) {
            return;
        }
        line.ended(now);
        if (!heldBack.isEmpty()) {
            heldBack.removeIf(each -> {
                each.settle(now);
                return !each.isHeldBack();
            });
        }
        if (line.isEmpty() && lines.size() > MOST_LINES) {
            lines.remove(share);
        }
    }

    private @Nullable Piece take(int seat, long now) {
        Piece stopped = ending.poll();
        if (stopped != null) {
            queued--;
            if (stopped.thread() == null) {
                line(stopped.control()).begins();
            }
            return stopped;
        }
        Arbiter.Share share = arbiter.pick(seat, now);
        if (share == null) {
            return null;
        }
        Line line = lines.get(share);
        if (line == null) {
            throw new IllegalStateException("the arbiter picked a share that has no work");
        }
        queued--;
        Piece piece = line.take(now);
        noteHeldBack(line);
        return piece;
    }

    private void awaitArrival(Worker worker, int seen, int wakes, long until) {
        int seat = worker.seat();
        for (int i = 0; i < SPINS && arbiter.maySpin(seat); i++) {
            if (arrivals != seen || arbiter.wakes(seat) != wakes || closed) {
                return;
            }
            Thread.onSpinWait();
        }
        synchronized (arbiter) {
            if (arrivals != seen) {
                return;
            }
            idle.add(worker);
        }
        long nanos = until - System.nanoTime();
        if (closed || nanos <= 0) {
            return;
        }
        arbiter.sleep(seat, wakes, nanos);
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // under the monitor
    private void wakeIdle() {
        Set<Worker> all;
        synchronized (arbiter) {
            arrivals++; // for those who are about to sleep
            all = Set.copyOf(idle);
            idle.clear();
        }
        all.forEach(this::wake);
    }

    /** Keeps a thread without a seat for later. */
    boolean keep(Worker worker) {
        synchronized (arbiter) {
            if (!closed) {
                spare.addFirst(worker);
            }
            return !closed;
        }
    }

    /** A thread that was kept has waited for long; false when somebody is about to use it. */
    boolean letGo(Worker worker) {
        synchronized (arbiter) {
            return spare.remove(worker);
        }
    }

    // ---- making room

    /** Between two pieces of work: whether this one is to be put back in the queue. */
    boolean mustGiveWay() {
        if (!(Thread.currentThread() instanceof Worker worker)) {
            return false;
        }
        long now = System.nanoTime();
        if (now < arbiter.deadline(worker.seat())) {
            return false;
        }
        synchronized (arbiter) {
            return !ending.isEmpty() || arbiter.givesWay(worker.seat(), now);
        }
    }

    /** Inside a piece of work: waits while others are to have the seat. */
    void giveWay(Control control, Seated seated) {
        if (!(Thread.currentThread() instanceof Worker worker)) {
            return;
        }
        long now = System.nanoTime();
        if (now < arbiter.deadline(worker.seat()) + GRACE_NANOS || control.isStopped()) {
            return;
        }
        Piece rest = new Piece(control, null, worker);
        Piece next;
        synchronized (arbiter) {
            if (ending.isEmpty() && !arbiter.givesWay(worker.seat(), now)) {
                return;
            }
            arbiter.release(worker.seat(), now);
            put(rest, now);
            next = take(worker.seat(), now);
        }
        arbiter.tell();
        if (next == rest) {
            return;
        }
        seated.suspended();
        handOver(worker.stand(), next);
        worker.awaitSeat();
        seated.resumed();
    }

    /** Leaves the seat until {@link #submit} brings this thread back. */
    void leave(Worker worker) {
        Piece next;
        int seat = worker.stand();
        synchronized (arbiter) {
            long now = System.nanoTime();
            arbiter.release(seat, now);
            next = take(seat, now);
        }
        arbiter.tell();
        handOver(seat, next);
        worker.awaitSeat();
    }

    private void handOver(int seat, @Nullable Piece piece) {
        if (piece != null && piece.thread() != null) {
            piece.thread().sit(seat, null);
            return;
        }
        Worker other;
        synchronized (arbiter) {
            other = spare.pollFirst();
        }
        (other == null ? start() : other).sit(seat, piece);
    }

    @Override
    public void close() {
        closed = true;
        wakeIdle();
        Set<Worker> all;
        synchronized (arbiter) {
            all = new HashSet<>(spare);
            spare.clear();
        }
        all.forEach(LockSupport::unpark);
    }
}
