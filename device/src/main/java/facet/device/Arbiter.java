package facet.device;

import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Decides whose work a device does next. A device has a number of seats: work that it can do at
 * once. It asks for each seat that is free, and tells when work comes and ends. Its monitor is held
 * during every call that does not say otherwise, but for {@link #deadline}; calls are quick and
 * never wait. Times are those of {@link System#nanoTime}.
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

    /** So many pieces of work of a share more, or fewer, wait for a seat. */
    void waiting(Share share, int change, long now);

    /** Whose work a free seat does now, with one piece of it waiting less; null: nobody's. */
    @Nullable Share pick(int seat, long now);

    /** When work on a seat is to ask whether it {@link #givesWay}. */
    long deadline(int seat);

    /** Whether the work on a seat is to make room for another's. */
    boolean givesWay(int seat, long now);

    /** The work on a seat has ended, or has made room. */
    void release(int seat, long now);

    /** When a free seat is to ask again although no work came. */
    long nextPick(long now);

    /**
     * Tells other processes what they are to know of calls before. Without the monitor: whoever is
     * told may take this thread's core at once, and would have everybody else here wait for it.
     */
    default void tell() {}

    /**
     * A share has code that it did not have before, which the machine has yet to make fast. Without
     * the monitor.
     */
    default void codeMade(Share share) {}

    /** What to call, without the monitor, when shares have changed and seats are to ask again. */
    void whenChanged(Runnable action);

    // ---- how the thread of a seat sleeps while there is nothing to do on it

    /**
     * Another number each time that the thread of a seat is woken; look at it before {@link #pick}.
     */
    default int wakes(int seat) {
        return 0;
    }

    /** Whether more work may come so soon that the thread had better look for it a while. */
    default boolean maySpin(int seat) {
        return true;
    }

    /**
     * Sleeps until woken, at most so long; not at all when it was woken since. Without the monitor.
     *
     * @param seen what {@link #wakes} said before
     */
    default void sleep(int seat, int seen, long nanos) {
        LockSupport.parkNanos(this, nanos);
    }

    /** Wakes the thread that sleeps on a seat. Without the monitor. */
    default void wake(int seat, Thread sleeper) {
        LockSupport.unpark(sleeper);
    }
}
