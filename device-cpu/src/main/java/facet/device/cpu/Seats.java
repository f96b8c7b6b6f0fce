package facet.device.cpu;

import facet.device.Arbiter;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The seats of the device: as many pieces of work run at once. Work waits in a queue of its share;
 * the arbiter says whose is next. A thread that is held up inside a kernel leaves its seat to
 * another thread, and waits in the queue until it gets one again.
 *
 * <p>The arbiter's monitor guards all fields. It is a leaf: nothing is called while it is held but
 * the arbiter.
 */
final class Seats implements AutoCloseable {
    /** About 20 µs of spinning: what waking a parked thread costs. */
    private static final int SPINS = 2_000;

    /** Inside a block work goes on so long beyond its deadline: its end is a cheaper place. */
    private static final long GRACE_NANOS = 150_000;

    private static final int MOST_SPARE = 64;

    /** Empty queues are kept for the next piece, up to so many. */
    private static final int MOST_QUEUES = 256;

    private final Arbiter arbiter;
    private final String name;
    private final int count;
    private final IdentityHashMap<Arbiter.Share, ArrayDeque<Piece>> queues =
            new IdentityHashMap<>();
    private final Set<Worker> idle = new HashSet<>();
    private final ArrayDeque<Worker> spare = new ArrayDeque<>();
    private int queued;
    private final AtomicInteger numbers = new AtomicInteger();

    /** Changes with each piece that comes: idle workers look at it while they spin. */
    private volatile int arrivals;

    private volatile boolean closed;

    /** Something to do on a seat: to be run by whoever has it, or a thread that goes on. */
    static final class Piece {
        private final Arbiter.Share share;
        private final @Nullable Runnable work;
        private final @Nullable Worker thread;

        private Piece(Arbiter.Share share, @Nullable Runnable work, @Nullable Worker thread) {
            this.share = share;
            this.work = work;
            this.thread = thread;
        }
    }

    Seats(String name, int count, Arbiter arbiter) {
        this.name = name;
        this.count = count;
        this.arbiter = arbiter;
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

    int count() {
        return count;
    }

    boolean isClosed() {
        return closed;
    }

    // ---- what comes

    Piece submit(Arbiter.Share share, Runnable work) {
        Piece piece = new Piece(share, work, null);
        enqueue(piece);
        return piece;
    }

    /** A thread that has left its seat may go on. */
    void submit(Arbiter.Share share, Worker thread) {
        enqueue(new Piece(share, null, thread));
    }

    private void enqueue(Piece piece) {
        Worker sleeper;
        synchronized (arbiter) {
            put(piece, System.nanoTime());
            sleeper = anyIdle();
        }
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
        queues.computeIfAbsent(piece.share, each -> new ArrayDeque<>()).add(piece);
        queued++;
        arbiter.waiting(piece.share, 1, now);
        arrivals++;
    }

    /** Takes back what has not begun; nothing when it has. */
    void withdraw(Piece piece) {
        synchronized (arbiter) {
            ArrayDeque<Piece> queue = queues.get(piece.share);
            if (queue != null && queue.removeLastOccurrence(piece)) {
                arbiter.waiting(piece.share, -1, System.nanoTime());
                taken(piece.share, queue);
            }
        }
    }

    private void taken(Arbiter.Share share, ArrayDeque<Piece> queue) {
        queued--;
        if (queue.isEmpty() && queues.size() > MOST_QUEUES) {
            queues.remove(share);
        }
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
                    first = false;
                }
                idle.remove(worker);
                piece = take(worker.seat(), now);
                until = piece == null ? arbiter.nextPick(now) : 0;
                if (piece != null && waited && queued > 0) {
                    other = anyIdle();
                }
            }
            if (other != null) {
                // What made this seat busy again may be for another one too.
                wake(other);
            }
            if (piece == null) {
                awaitArrival(worker, seen, wakes, until);
                waited = true;
            } else if (piece.thread != null) {
                // It goes on where it was; this thread is in nobody's way until it is wanted.
                piece.thread.sit(worker.stand(), null);
                return null;
            } else {
                return piece.work;
            }
        }
        return null;
    }

    private @Nullable Piece take(int seat, long now) {
        Arbiter.Share share = arbiter.pick(seat, now);
        if (share == null) {
            return null;
        }
        ArrayDeque<Piece> queue = queues.get(share);
        if (queue == null) {
            throw new IllegalStateException("the arbiter picked a share that has no work");
        }
        Piece piece = queue.remove();
        taken(share, queue);
        return piece;
    }

    @SuppressWarnings("ThreadPriorityCheck") // a yield between two looks, not a way to be in order
    private void awaitArrival(Worker worker, int seen, int wakes, long until) {
        int seat = worker.seat();
        for (int i = 0; i < SPINS && arbiter.maySpin(seat); i++) {
            if (arrivals != seen || arbiter.wakes(seat) != wakes || closed) {
                return;
            }
            Thread.onSpinWait();
            if (i % 64 == 63) {
                Thread.yield();
            }
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

    /** Keeps a thread without a seat for later; false when there are enough. */
    boolean keep(Worker worker) {
        synchronized (arbiter) {
            if (closed || spare.size() >= MOST_SPARE) {
                return false;
            }
            spare.addFirst(worker);
            return true;
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
            return arbiter.givesWay(worker.seat(), now);
        }
    }

    /** Inside a piece of work: waits while others are to have the seat. */
    void giveWay(Arbiter.Share share, Control control) {
        if (!(Thread.currentThread() instanceof Worker worker)) {
            return;
        }
        long now = System.nanoTime();
        if (now < arbiter.deadline(worker.seat()) + GRACE_NANOS) {
            return;
        }
        Piece next;
        synchronized (arbiter) {
            if (!arbiter.givesWay(worker.seat(), now)) {
                return;
            }
            arbiter.release(worker.seat(), now);
            Piece rest = new Piece(share, null, worker);
            put(rest, now);
            next = take(worker.seat(), now);
            if (next == rest) {
                return;
            }
        }
        control.suspended();
        handOver(worker.stand(), next);
        worker.awaitSeat();
        control.resumed();
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
        handOver(seat, next);
        worker.awaitSeat();
    }

    private void handOver(int seat, @Nullable Piece piece) {
        if (piece != null && piece.thread != null) {
            piece.thread.sit(seat, null);
            return;
        }
        Worker other;
        synchronized (arbiter) {
            other = spare.pollFirst();
        }
        (other == null ? start() : other).sit(seat, piece == null ? null : piece.work);
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
