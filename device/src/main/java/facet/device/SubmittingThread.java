package facet.device;

import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A thread that gives work to devices and may do some of it itself: for a short kernel another
 * thread would have to be woken, which takes longer than the kernel. A device may {@link #hold}
 * what it is given until the thread says whether it has time for it.
 *
 * <p>Whoever {@link #enter}s sees to it that what is held is begun soon, and before it waits for
 * anything. Only its own thread uses it.
 */
public final class SubmittingThread implements AutoCloseable {
    private static final ThreadLocal<@Nullable SubmittingThread> CURRENT = new ThreadLocal<>();

    /** Work that was submitted and not begun. */
    public interface Held {
        /** Threads of the device are to do it. */
        void handOver();

        /**
         * Does it on this thread, when it is short and nobody else waits for the device; else as
         * {@link #handOver}.
         *
         * @param takeOver called at most once, on this thread, when it takes long after all:
         *     somebody else is to do what the thread has to do besides
         */
        void doHere(Runnable takeOver);
    }

    private final Set<Runnable> atEnd = new LinkedHashSet<>();
    private @Nullable Held held;

    private SubmittingThread() {}

    /** The calling thread gives work to devices from now on, until it is closed. */
    public static SubmittingThread enter() {
        SubmittingThread entered = new SubmittingThread();
        CURRENT.set(entered);
        return entered;
    }

    /** The calling thread, when it is one. */
    public static @Nullable SubmittingThread current() {
        return CURRENT.get();
    }

    /** Keeps work until the thread decides; false when it holds some already. */
    public boolean hold(Held work) {
        if (held != null) {
            return false;
        }
        held = work;
        return true;
    }

    /** What a device keeps for this thread is to go with it; the same action is done once. */
    public void whenItEnds(Runnable action) {
        atEnd.add(action);
    }

    public boolean isHolding() {
        return held != null;
    }

    /** What is held is done by the device. */
    public void handOver() {
        Held work = held;
        held = null;
        if (work != null) {
            work.handOver();
        }
    }

    /** What is held is done here, where that is quicker. */
    public void doHere(Runnable takeOver) {
        Held work = held;
        held = null;
        if (work != null) {
            work.doHere(takeOver);
        }
    }

    @Override
    public void close() {
        handOver();
        CURRENT.remove();
        atEnd.forEach(Runnable::run);
    }
}
