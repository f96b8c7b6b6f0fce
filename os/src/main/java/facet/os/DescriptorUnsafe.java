package facet.os;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Calls on descriptors. All results are those of the system, or minus errno.
 *
 * <p>SAFETY: no address goes to the system from here. A descriptor that was closed may be somebody
 * else's by now: {@link DescriptorOwner} sees to that.
 */
final class DescriptorUnsafe {
    private static final int F_DUPFD_CLOEXEC = 1030;
    private static final int F_GETFD = 1;

    private static final MethodHandle CLOSE =
            DowncallUnsafe.handle("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
    private static final MethodHandle FCNTL =
            DowncallUnsafe.variadic(
                    "fcntl", 2, FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG));

    private DescriptorUnsafe() {}

    static int close(int descriptor) {
        try {
            MemorySegment state = DowncallUnsafe.state();
            return DowncallUnsafe.resultOf((int) CLOSE.invokeExact(state, descriptor), state);
        } catch (Throwable e) {
            throw DowncallUnsafe.mistake(e);
        }
    }

    static int duplicate(int descriptor) {
        return control(descriptor, F_DUPFD_CLOEXEC, 0);
    }

    static boolean isOpen(int descriptor) {
        return control(descriptor, F_GETFD, 0) >= 0;
    }

    /** Only for commands whose argument is a number. */
    static int control(int descriptor, int command, long argument) {
        try {
            MemorySegment state = DowncallUnsafe.state();
            return DowncallUnsafe.resultOf(
                    (int) FCNTL.invokeExact(state, descriptor, command, argument), state);
        } catch (Throwable e) {
            throw DowncallUnsafe.mistake(e);
        }
    }
}
