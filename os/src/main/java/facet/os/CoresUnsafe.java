package facet.os;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.stream.IntStream;

/**
 * On which cores threads run.
 *
 * <p>SAFETY: the masks are as long as the functions are told, and live as long as this class.
 */
public final class CoresUnsafe {
    /** Bytes of a mask: 1,024 cores, as libc has it. */
    private static final int BYTES = 128;

    private static final FunctionDescriptor SIGNATURE =
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS);
    private static final MethodHandle GET = DowncallUnsafe.handle("sched_getaffinity", SIGNATURE);
    private static final MethodHandle SELF =
            DowncallUnsafe.handle("gettid", FunctionDescriptor.of(JAVA_INT));
    private static final MethodHandle SET = DowncallUnsafe.handle("sched_setaffinity", SIGNATURE);

    /** One for each core that this process had when it first asked. */
    private static final MemorySegment[] MASKS = masks();

    private CoresUnsafe() {}

    private static MemorySegment[] masks() {
        MemorySegment all = Arena.global().allocate(BYTES);
        if (call(GET, 0, all) < 0) {
            return new MemorySegment[0];
        }
        return IntStream.range(0, BYTES * Byte.SIZE)
                .filter(core -> (all.get(JAVA_BYTE, core / 8) >> core % 8 & 1) != 0)
                .mapToObj(core -> {
                    MemorySegment mask = Arena.global().allocate(BYTES);
                    mask.set(JAVA_BYTE, core / 8, (byte) (1 << core % 8));
                    return mask;
                })
                .toArray(MemorySegment[]::new);
    }

    private static int call(MethodHandle function, int thread, MemorySegment mask) {
        try {
            MemorySegment state = DowncallUnsafe.state();
            // Thread 0 is the calling one.
            int result = (int) function.invokeExact(state, thread, (long) BYTES, mask);
            return DowncallUnsafe.resultOf(result, state);
        } catch (Throwable e) {
            throw DowncallUnsafe.mistake(e);
        }
    }

    /** The system's number of the calling thread. */
    public static int self() {
        try {
            return (int) SELF.invokeExact(DowncallUnsafe.state());
        } catch (Throwable e) {
            throw DowncallUnsafe.mistake(e);
        }
    }

    /**
     * A thread of this process runs on one core from now on: the one of this number among those
     * that the process may use. Where the system refuses it runs anywhere, as before.
     *
     * @param thread as {@link #self} says
     */
    public static void keep(int thread, int number) {
        if (MASKS.length > 0) {
            call(SET, thread, MASKS[number % MASKS.length]);
        }
    }
}
