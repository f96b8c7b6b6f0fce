package facet.os;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * How long the system lets a thread run before it looks whether another one should. A thread that
 * computes all the time keeps one that has just woken waiting for so long: some 3 ms, unless it
 * asks for less. Linux listens since 6.12; before that nothing changes.
 *
 * <p>SAFETY: the structure has the size that it names, and is written before the call.
 */
public final class TimeSliceUnsafe {
    private static final long SIZE = 48;
    private static final long POLICY = 4;
    private static final long NICE = 16;
    private static final long PRIORITY = 20;
    private static final long RUNTIME = 24;
    private static final int SCHED_FIFO = 1;

    private static final MethodHandle SYSCALL =
            DowncallUnsafe.variadic(
                    "syscall",
                    1,
                    FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT));

    private TimeSliceUnsafe() {}

    /** Of sched_setattr(2), which older libraries have no function for. */
    private static int number() {
        return switch (System.getProperty("os.arch")) {
            case "amd64" -> 314;
            case "aarch64" -> 274;
            default -> -1;
        };
    }

    /**
     * For the calling thread; its policy and niceness stay.
     *
     * @param nanos 0.1 to 100 ms
     * @return whether the system took it
     */
    public static boolean ask(long nanos) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attributes = attributes(arena);
            attributes.set(JAVA_INT, NICE, NicenessUnsafe.own());
            attributes.set(JAVA_LONG, RUNTIME, nanos);
            return set(attributes);
        }
    }

    /**
     * The calling thread runs before all usual ones whenever it can run: for one that works for
     * microseconds, and that others wait for. A daemon of root's is allowed to.
     *
     * @return whether the system took it
     */
    public static boolean askToBeFirst() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attributes = attributes(arena);
            attributes.set(JAVA_INT, POLICY, SCHED_FIFO);
            attributes.set(JAVA_INT, PRIORITY, 1);
            return set(attributes);
        }
    }

    private static MemorySegment attributes(Arena arena) {
        MemorySegment attributes = arena.allocate(SIZE);
        attributes.set(JAVA_INT, 0, (int) SIZE);
        return attributes;
    }

    private static boolean set(MemorySegment attributes) {
        int number = number();
        if (number < 0) {
            return false;
        }
        try {
            // 0 is the calling thread; the last argument is flags.
            return 0
                    == (long)
                            SYSCALL.invokeExact(
                                    DowncallUnsafe.state(), (long) number, 0, attributes, 0);
        } catch (Throwable e) {
            throw DowncallUnsafe.mistake(e);
        }
    }
}
