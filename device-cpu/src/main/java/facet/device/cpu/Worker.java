package facet.device.cpu;

import facet.device.Arbiter;
import facet.os.CoresUnsafe;
import facet.os.SchedulingUnsafe;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A thread that runs kernels while it has a seat. */
final class Worker extends Thread {
    /** Deep recursion in kernels is recursion in Java. */
    private static final long STACK = 64L << 20;

    /**
     * Linux lets a thread that wakes run before one that asked for longer turns. Sessions are not
     * to wait for kernels, which take all they get: they ask for far less. But kernels are not to
     * wait either, for compilers and whatever else computes on a seat's core.
     */
    private static final long TIME_SLICE = 3_000_000;

    /**
     * A thread that nobody wanted for so long ends: what a tenant caused is gone within a second.
     */
    private static final long SPARE_NANOS = 500_000_000L;

    private static final int NONE = -1;
    private static final int SPINS = 200;

    private final Seats seats;

    /** Written by this thread alone. */
    private volatile int seat = NONE;

    /** The seat whose core this thread keeps to. */
    private volatile int core = NONE;

    /** As the system numbers threads; 0 until it runs. */
    private volatile int number;

    /** Whose work it does, from its beginning to its end; only this thread's. */
    private Arbiter.@Nullable Share share;

    /** Written by who gives it a seat: first what to do there, then the seat. */
    private Line.@Nullable Piece given;

    private volatile int offered = NONE;

    Worker(Seats seats, String name) {
        super(null, null, name, STACK);
        this.seats = seats;
        setDaemon(true);
    }

    int seat() {
        return seat;
    }

    void worksFor(Arbiter.Share other) {
        share = other;
    }

    /** Whose work has ended; null when that was told before. */
    Arbiter.@Nullable Share rests() {
        Arbiter.Share before = share;
        share = null;
        return before;
    }

    /** Gives this thread a seat; it has none, or is about to leave the one it has. */
    void sit(int offer, Line.@Nullable Piece work) {
        given = work;
        if (core != offer && number != 0) {
            // Before it wakes: on the core of its last seat it would wait for that seat's work.
            keepTo(offer);
        }
        offered = offer;
        LockSupport.unpark(this);
    }

    private void keepTo(int place) {
        CoresUnsafe.keep(number, place);
        core = place;
    }

    /** Leaves its seat, which is now the caller's to give away. */
    int stand() {
        int left = seat;
        seat = NONE;
        return left;
    }

    /** False when there will be none. */
    private boolean await() {
        for (int i = 0; offered == NONE && i < SPINS; i++) {
            Thread.onSpinWait();
        }
        long since = System.nanoTime();
        while (offered == NONE) {
            if (seats.isClosed()) {
                return false;
            }
            if (share != null) {
                // Inside a piece of work, however long that has to wait.
                LockSupport.park(this);
            } else {
                LockSupport.parkNanos(this, SPARE_NANOS);
                if (offered == NONE && System.nanoTime() - since > SPARE_NANOS) {
                    if (seats.letGo(this)) {
                        return false;
                    }
                    since = System.nanoTime();
                }
            }
        }
        seat = offered;
        offered = NONE;
        if (core != seat) {
            keepTo(seat);
        }
        return true;
    }

    /** From inside a piece of work: waits until it may go on. */
    void awaitSeat() {
        if (!await()) {
            // Contexts are closed before the device is: nobody should be here.
            throw new IllegalStateException("the device is closed");
        }
    }

    @Override
    public void run() {
        number = CoresUnsafe.self();
        SchedulingUnsafe.askForTurns(TIME_SLICE);
        try {
            workOn();
        } finally {
            Scratch.endOfWorker();
        }
    }

    private void workOn() {
        while (await()) {
            boolean ended = false;
            Line.Piece first = given;
            given = null;
            Runnable work = first == null ? null : first.work();
            if (first != null && work != null) {
                worksFor(first.control().share());
                perform(work);
                ended = true;
            }
            while ((work = seats.next(this, ended)) != null) {
                perform(work);
                ended = true;
            }
            if (seats.isClosed() || !seats.keep(this)) {
                return;
            }
        }
    }

    /** A defect costs the piece of work, not the seat. */
    private void perform(Runnable work) {
        try {
            work.run();
        } catch (RuntimeException | Error e) {
            getUncaughtExceptionHandler().uncaughtException(this, e);
        }
    }
}
