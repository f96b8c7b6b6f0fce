package facet.device;

import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;

/**
 * A queue of work. The calls return at once; host memory given to a copy must stay as it is until
 * the copy has run.
 */
public interface Stream extends AutoCloseable {
    void launch(Launch launch);

    /**
     * The same for a launch that was asked for before: it may access what was settled then, and
     * what the device itself needs for it.
     */
    void launch(Launch launch, Access access);

    void copyToDevice(long destination, MemorySegment source);

    void copyFromDevice(MemorySegment destination, long source);

    /** Rows and slices; the memory is as long as the box says. */
    void copyToDevice(long destination, MemorySegment source, Box box);

    void copyFromDevice(MemorySegment destination, long source, Box box);

    void copy(long destination, long source, long bytes);

    /** Copies rows and slices. */
    void copy(long destination, long source, Box box);

    /** Sets {@code count} elements of {@code width} bytes (1, 2 or 4) to the low bits of value. */
    void fill(long destination, int value, int width, long count);

    void record(Event event);

    /** What follows here waits until the work recorded by the event has ended. */
    void await(Event event);

    /** Runs on a thread of the device when all before it has ended. */
    void callback(Runnable action);

    /**
     * Runs when all before has ended; what follows waits until the action has called what it is
     * given, on any thread. Whoever suspends must also resume, or the stream never ends.
     */
    void suspend(Consumer<Runnable> action);

    /**
     * Runs when all before has ended, also when it ended in a fault. What follows may have begun by
     * then.
     */
    void whenEnded(Runnable action);

    /** The same, and what follows waits until the action has returned. */
    default void between(Runnable action) {
        whenEnded(action);
    }

    /** Whether all work has ended. */
    boolean isIdle();

    /** Waits for the work so far; throws when the context has a fault. */
    void synchronize();

    @Override
    void close();
}
