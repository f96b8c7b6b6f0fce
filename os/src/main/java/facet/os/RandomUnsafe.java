package facet.os;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Numbers that nobody can guess. Of the system, without a file: a confined process has none.
 *
 * <p>SAFETY: the only address given to the system is that of eight bytes of a segment, which lives
 * until the call is over.
 */
public final class RandomUnsafe {
    private static final MethodHandle GETRANDOM =
            DowncallUnsafe.handle(
                    "getrandom", FunctionDescriptor.of(JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_INT));

    private RandomUnsafe() {}

    /** Any of all. */
    public static long next() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment number = arena.allocate(JAVA_LONG);
            MemorySegment state = DowncallUnsafe.state();
            long result;
            try {
                result =
                        DowncallUnsafe.resultOf(
                                (long)
                                        GETRANDOM.invokeExact(
                                                state, number, JAVA_LONG.byteSize(), 0),
                                state);
            } catch (Throwable e) {
                throw DowncallUnsafe.mistake(e);
            }
            if (result != JAVA_LONG.byteSize()) {
                throw new IllegalStateException("getrandom: " + ErrnoUnsafe.text((int) -result));
            }
            return number.get(JAVA_LONG, 0);
        }
    }
}
