package facet.device.cpu;

import facet.device.Arbiter;
import facet.jit.runtime.KernelFault;
import facet.os.CoresUnsafe;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A thread that runs work while it has a seat: a {@link Worker}, or for a while the thread that
 * brought the work.
 */
final class Sitter {
    /** A thread that visits for the time of a piece of work. */
    private static final ThreadLocal<@Nullable Sitter> VISITING = new ThreadLocal<>();

    /**
     * A thread that nobody wanted for so long ends: what a tenant caused is gone within a second.
     */
    private static final long SPARE_NANOS = 500_000_000L;

    static final int NONE = -1;
    private static final int SPINS = 200;

    private final Seats seats;
    private final Thread thread;

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

    Sitter(Seats seats, Thread thread) {
        this.seats = seats;
        this.thread = thread;
    }

    /** The calling thread, when it has a seat of this device or waits for one. */
    static @Nullable Sitter current(Seats seats) {
        Sitter sitter =
                Thread.currentThread() instanceof Worker worker ? worker.sitter() : VISITING.get();
        return sitter != null && sitter.seats == seats ? sitter : null;
    }

    /** The calling thread has this seat from now on; it is its own thread that does. */
    void visit(int place) {
        VISITING.set(this);
        seat = place;
    }

    /** The work that it came for has ended. */
    void goes() {
        VISITING.remove();
    }

    Thread thread() {
        return thread;
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

    /** What it was given with its seat, once. */
    Line.@Nullable Piece takeGiven() {
        Line.Piece piece = given;
        given = null;
        return piece;
    }

    /** Gives this thread a seat; it has none, or is about to leave the one it has. */
    void sit(int offer, Line.@Nullable Piece work) {
        given = work;
        if (core != offer && number != 0) {
            // Before it wakes: on the core of its last seat it would wait for that seat's work.
            keepTo(offer);
        }
        offered = offer;
        LockSupport.unpark(thread);
    }

    /** On this thread, before it waits for its first seat. */
    void begins() {
        number = CoresUnsafe.self();
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
    boolean await() {
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
        if (core != seat && number != 0) {
            keepTo(seat);
        }
        return true;
    }

    /** From inside a piece of work: waits until it may go on. */
    void awaitSeat() {
        if (!await()) {
            // Contexts are closed before the device is; what is compiled for them may be left.
            throw new KernelFault(KernelFault.Cause.STOPPED, "the device is closed", 0);
        }
    }
}
