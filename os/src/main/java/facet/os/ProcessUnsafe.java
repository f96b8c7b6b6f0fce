package facet.os;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Who this process is, and what it may have.
 *
 * <p>SAFETY: the functions take nothing and cannot fail; but for getrlimit, which writes two
 * numbers to memory of that size.
 */
public final class ProcessUnsafe {
    private static final MethodHandle GETUID =
            DowncallUnsafe.handle("getuid", FunctionDescriptor.of(JAVA_INT));
    private static final MethodHandle GETGID =
            DowncallUnsafe.handle("getgid", FunctionDescriptor.of(JAVA_INT));

    private static final MethodHandle GETRLIMIT =
            DowncallUnsafe.handle("getrlimit", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS));
    private static final int RLIMIT_NOFILE = 7;

    private ProcessUnsafe() {}

    public static int user() {
        try {
            return (int) GETUID.invokeExact(DowncallUnsafe.state());
        } catch (Throwable e) {
            throw DowncallUnsafe.mistake(e);
        }
    }

    public static int group() {
        try {
            return (int) GETGID.invokeExact(DowncallUnsafe.state());
        } catch (Throwable e) {
            throw DowncallUnsafe.mistake(e);
        }
    }

    /** How many files it may have open, -1: as many as it likes. */
    public static long openFiles() {
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment limits = scratch.allocate(JAVA_LONG, 2); // soft, hard
            MemorySegment state = DowncallUnsafe.state();
            int result = (int) GETRLIMIT.invokeExact(state, RLIMIT_NOFILE, limits);
            return result == 0 ? limits.get(JAVA_LONG, 0) : -1;
        } catch (Throwable e) {
            throw DowncallUnsafe.mistake(e);
        }
    }
}
