package facet.device.cpu;

import facet.device.Arbiter;
import facet.device.cpu.Line.Piece;
import java.util.ArrayDeque;
import java.util.HashSet;
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
 * <p>The lock guards all fields. Nothing is called while it is held but the arbiter.
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

    private final Object lock = new Object();
    private final Arbiter arbiter;
    private final String name;
    private final int count;

    /** Of seats whose own threads sleep. */
    private final @Nullable Visit[] visits;

    private final Lines lines;
    private final Set<Sitter> idle = new HashSet<>();
    private final ArrayDeque<Sitter> spare = new ArrayDeque<>();
    private final AtomicInteger numbers = new AtomicInteger();

    /** Changes with each piece that comes: idle workers look at it while they spin. */
    private volatile int arrivals;

    private volatile boolean closed;

    Seats(String name, int count, Arbiter arbiter) {
        this.name = name;
        this.count = count;
        this.arbiter = arbiter;
        this.lines = new Lines(count, arbiter);
        visits = new Visit[count];
        arbiter.whenChanged(this::wakeIdle);
        for (int seat = 0; seat < count; seat++) {
            start().sit(seat, null);
        }
    }

    private Sitter start() {
        Worker worker = new Worker(this, name + "-worker-" + numbers.incrementAndGet());
        worker.start();
        return worker.sitter();
    }

    void codeMade(Control control, long nanos) {
        arbiter.codeMade(control.share(), nanos);
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
    void submit(Control control, Sitter thread) {
        enqueue(new Piece(control, null, thread));
    }

    private void enqueue(Piece piece) {
        Sitter sleeper;
        synchronized (lock) {
            put(piece, System.nanoTime());
            sleeper = anyIdle();
        }
        arbiter.tell();
        if (sleeper != null) {
            wake(sleeper);
        }
    }

    /** Those that sleep have a seat; one that has none by now does not sleep. */
    private void wake(Sitter sleeper) {
        int seat = sleeper.seat();
        if (seat != Sitter.NONE) {
            arbiter.seat(seat).wake(sleeper.thread());
        }
    }

    private @Nullable Sitter anyIdle() {
        if (idle.isEmpty()) {
            return null;
        }
        Sitter sitter = idle.iterator().next();
        idle.remove(sitter);
        return sitter;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // under the lock
    private void put(Piece piece, long now) {
        lines.add(piece, now);
        arrivals++;
    }

    /** Takes back what has not begun; nothing when it has. */
    void withdraw(Piece piece) {
        synchronized (lock) {
            lines.withdraw(piece, System.nanoTime());
        }
        arbiter.tell();
    }

    /** What waits of a context that was stopped gets the next seats. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // under the lock
    void hurry(Control control) {
        synchronized (lock) {
            if (!lines.hurry(control, System.nanoTime())) {
                return;
            }
            arrivals++;
        }
        wakeIdle();
    }

    // ---- a worker's life

    /** What a worker does next on its seat; null: it has no seat any more. */
    @Nullable Runnable next(Sitter worker, boolean ended) {
        boolean first = ended;
        boolean waited = false;
        while (!closed) {
            int seen = arrivals;
            Arbiter.Seat seat = arbiter.seat(worker.seat());
            int wakes = seat.wakes();
            Piece piece;
            Sitter other = null;
            long until;
            synchronized (lock) {
                long now = System.nanoTime();
                if (first) {
                    seat.ended(now);
                    lines.ended(worker.rests(), now);
                    first = false;
                }
                idle.remove(worker);
                piece = visits[worker.seat()] == null ? lines.take(worker.seat(), now) : null;
                until = piece == null ? seat.nextLook(now) : 0;
                if (piece != null && waited && lines.count() > 0) {
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

    private void awaitArrival(Sitter worker, int seen, int wakes, long until) {
        Arbiter.Seat seat = arbiter.seat(worker.seat());
        for (int i = 0; i < SPINS && seat.maySpin(); i++) {
            if (arrivals != seen || seat.wakes() != wakes || closed) {
                return;
            }
            Thread.onSpinWait();
        }
        synchronized (lock) {
            if (arrivals != seen) {
                return;
            }
            if (visits[worker.seat()] == null) {
                idle.add(worker);
            }
        }
        long nanos = until - System.nanoTime();
        if (closed || nanos <= 0) {
            return;
        }
        seat.sleep(wakes, nanos);
    }

    // ---- work of the thread that brings it

    /**
     * Does work on the calling thread, when a seat is free and nobody else waits for one; else it
     * waits in its line.
     *
     * @param takeOver called at most once, when the work takes long or has to wait
     */
    void doHere(Control control, Runnable work, Runnable takeOver) {
        Piece piece = new Piece(control, work, null);
        Sitter guest = null;
        Sitter host;
        synchronized (lock) {
            boolean alone = lines.count() == 0 && !closed;
            long now = System.nanoTime();
            put(piece, now);
            host = alone ? anyWithSeat() : anyIdle();
            if (host != null && alone && lines.take(host.seat(), now) != null) {
                guest = new Sitter(this, Thread.currentThread());
                guest.worksFor(control.share());
                guest.visit(host.seat());
                visits[host.seat()] = new Visit(host, takeOver, now);
            }
        }
        arbiter.tell();
        if (guest != null) {
            try {
                Worker.perform(work);
            } finally {
                endVisit(guest);
            }
        } else if (host != null) {
            wake(host);
        }
    }

    /** Where seats are lent, one that sleeps may have to ask for its seat first. */
    private @Nullable Sitter anyWithSeat() {
        for (Sitter each : idle) {
            if (arbiter.seat(each.seat()).maySpin()) {
                idle.remove(each);
                return each;
            }
        }
        return anyIdle();
    }

    private void endVisit(Sitter guest) {
        int seat = guest.stand();
        if (seat == Sitter.NONE) {
            guest.goes(); // the device was closed while it waited for one
            return;
        }
        Sitter host;
        boolean wanted;
        Piece next = null;
        synchronized (lock) {
            long now = System.nanoTime();
            arbiter.seat(seat).ended(now);
            lines.ended(guest.rests(), now);
            host = giveBack(seat);
            wanted = lines.count() > 0 || closed || arbiter.seat(seat).isAskedFor();
            if (host == null) {
                // It had to leave its host's seat, and was given one of its own.
                next = lines.take(seat, now);
            } else if (!wanted) {
                idle.add(host);
            }
        }
        guest.goes();
        arbiter.tell();
        if (host == null) {
            handOver(seat, next);
        } else if (wanted) {
            wake(host);
        }
    }

    /** The seat is its own thread's again; null when it was not somebody else's. */
    private @Nullable Sitter giveBack(int seat) {
        Visit visit = visits[seat];
        visits[seat] = null;
        return visit == null ? null : visit.host();
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // under the lock
    private void wakeIdle() {
        Set<Sitter> all;
        synchronized (lock) {
            arrivals++; // for those who are about to sleep
            all = Set.copyOf(idle);
            idle.clear();
        }
        all.forEach(this::wake);
    }

    /** Keeps a thread without a seat for later. */
    boolean keep(Sitter worker) {
        synchronized (lock) {
            if (!closed) {
                spare.addFirst(worker);
            }
            return !closed;
        }
    }

    /** A thread that was kept has waited for long; false when somebody is about to use it. */
    boolean letGo(Sitter worker) {
        synchronized (lock) {
            return spare.remove(worker);
        }
    }

    // ---- making room

    /** Between two pieces of work: whether this one is to be put back in the queue. */
    boolean mustGiveWay() {
        Sitter worker = sitting();
        if (worker == null) {
            return false;
        }
        Arbiter.Seat seat = arbiter.seat(worker.seat());
        long now = System.nanoTime();
        Visit visit = visit(worker);
        if (visit != null && visit.isLong(now)) {
            return true; // the device's own threads do the rest
        }
        if (now < seat.deadline()) {
            return false;
        }
        synchronized (lock) {
            return lines.isAnyEnding() || seat.givesWay(now);
        }
    }

    /** The calling thread, when it has a seat here. */
    private @Nullable Sitter sitting() {
        Sitter sitter = Sitter.current(this);
        return sitter == null || sitter.seat() == Sitter.NONE ? null : sitter;
    }

    /** Inside a piece of work: waits while others are to have the seat. */
    void giveWay(Control control, Seated seated) {
        Sitter worker = sitting();
        if (worker == null) {
            return;
        }
        long now = System.nanoTime();
        Arbiter.Seat seat = arbiter.seat(worker.seat());
        Visit visit = visit(worker);
        if (visit != null) {
            visit.look(now);
        }
        if (now < seat.deadline() + GRACE_NANOS || control.isStopped()) {
            return;
        }
        Piece rest = new Piece(control, null, worker);
        Piece next;
        synchronized (lock) {
            if (!lines.isAnyEnding() && !seat.givesWay(now)) {
                return;
            }
            seat.ended(now);
            put(rest, now);
            next = visit == null ? lines.take(worker.seat(), now) : null;
        }
        arbiter.tell();
        if (next == rest) {
            return;
        }
        seated.suspended();
        leaveTo(worker, visit, next);
        worker.awaitSeat();
        seated.resumed();
    }

    /** How it has its seat; null: as its own. What it is only its own thread changes. */
    private @Nullable Visit visit(Sitter worker) {
        Visit visit = visits[worker.seat()];
        return visit == null || visit.host() == worker ? null : visit;
    }

    /** The calling thread, which has a seat. */
    Sitter self() {
        Sitter worker = sitting();
        if (worker == null) {
            throw new IllegalStateException("the thread has no seat");
        }
        return worker;
    }

    /** Leaves the seat of the calling thread until {@link #submit} brings it back. */
    void leave() {
        Sitter worker = self();
        Visit visit = visit(worker);
        Piece next;
        synchronized (lock) {
            long now = System.nanoTime();
            arbiter.seat(worker.seat()).ended(now);
            next = visit == null ? lines.take(worker.seat(), now) : null;
        }
        arbiter.tell();
        leaveTo(worker, visit, next);
        worker.awaitSeat();
    }

    /** A visitor leaves the seat to its host, another one to whoever has the next work. */
    private void leaveTo(Sitter worker, @Nullable Visit visit, @Nullable Piece next) {
        if (visit == null) {
            handOver(worker.stand(), next);
            return;
        }
        synchronized (lock) {
            giveBack(worker.stand());
        }
        // Before the visitor sees to its own: others are to have the seat.
        wake(visit.host());
        visit.takeOver();
    }

    private void handOver(int seat, @Nullable Piece piece) {
        if (piece != null && piece.thread() != null) {
            piece.thread().sit(seat, null);
            return;
        }
        Sitter other;
        synchronized (lock) {
            other = spare.pollFirst();
        }
        (other == null ? start() : other).sit(seat, piece);
    }

    @Override
    public void close() {
        closed = true;
        wakeIdle();
        Set<Sitter> all = new HashSet<>();
        synchronized (lock) {
            all.addAll(spare);
            spare.clear();
            // Those inside a piece of work, too: there are no seats any more.
            all.addAll(lines.threads());
        }
        all.forEach(each -> LockSupport.unpark(each.thread()));
    }
}
