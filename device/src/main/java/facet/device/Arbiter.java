package facet.device;

import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Decides whose work a device does next. Work is submitted, may run when its turn has come, and is
 * charged when it has ended. Any thread; calls are quick and never wait. Times are those of {@link
 * System#nanoTime}.
 */
public interface Arbiter {
    /** Those whose work is counted together: a slice. */
    interface Share {
        /**
         * Under which name its compiled code is kept when it has gone, for others with the same
         * one; empty: its code is its own and goes with it. Who has a name in common with another
         * can tell from the time of a load what that one has loaded.
         */
        default Optional<String> codeName() {
            return Optional.empty();
        }
    }

    /** For contexts that name no share. */
    Share unnamed();

    /** So many pieces of work of a share more, or fewer, wait until they may run. */
    void submit(Share share, int change, long now);

    /** One of the seats of the device. */
    Seat seat(int number);

    /**
     * Where one piece of work runs at a time: a core of the software GPU, or a launch under way on
     * a device that cannot be interrupted.
     */
    interface Seat {
        /** Whose work runs here now, with one piece of it waiting less; null: nobody's. */
        @Nullable Share mayRun(long now);

        /** When the work is to ask whether it {@link #givesWay}. */
        long deadline();

        /** Whether the work is to make room for another's, where it can. */
        boolean givesWay(long now);

        /** The work has ended, or has made room; it is charged for the time that it was here. */
        void ended(long now);

        /**
         * The same on a device that can only delay launches: it is charged for what was measured,
         * not for the time that it waited behind others on the device.
         *
         * @param nanos that it took the device
         */
        void ended(long now, long nanos);

        /** When a free seat is to ask again although no work came. */
        long nextLook(long now);

        /**
         * Whether others have asked for a free seat, and its thread is to see to it: it is to be
         * woken although no work came.
         */
        default boolean isAskedFor() {
            return false;
        }

        // ---- how its thread sleeps while there is nothing to do

        /** Another number each time that the thread is woken; look at it before {@link #mayRun}. */
        default int wakes() {
            return 0;
        }

        /** Whether more work may come so soon that the thread had better look for it a while. */
        default boolean maySpin() {
            return true;
        }

        /**
         * Sleeps until woken, at most so long; not at all when it was woken since.
         *
         * @param seen what {@link #wakes} said before
         */
        default void sleep(int seen, long nanos) {
            LockSupport.parkNanos(this, nanos);
        }

        /** Wakes the thread that sleeps here. */
        default void wake(Thread sleeper) {
            LockSupport.unpark(sleeper);
        }
    }

    /**
     * Tells other processes what they are to know of calls before. No lock is to be held: whoever
     * is told may take this thread's core at once, and would have everybody else wait for it.
     */
    default void tell() {}

    /**
     * A share has code that it did not have before, which the machine has yet to make fast.
     *
     * @param nanos processor time that it took to make it
     */
    default void codeMade(Share share, long nanos) {}

    /** What to call when shares have changed and seats are to ask again. */
    void whenChanged(Runnable action);
}
