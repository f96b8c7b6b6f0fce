package facet.os;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Descriptors that stand for a process. All results are those of the system, or minus errno.
 *
 * <p>SAFETY: only numbers go to the system.
 */
final class PidfdUnsafe {
    /**
     * pidfd_open(2), since Linux 5.3; the same on all machines. Older libraries have no function.
     */
    private static final long PIDFD_OPEN = 434;

    private static final MethodHandle SYSCALL =
            DowncallUnsafe.variadic(
                    "syscall", 1, FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT));

    private PidfdUnsafe() {}

    /** Can be read when the process has ended. It is closed on exec. */
    static int open(int process) {
        try {
            MemorySegment state = DowncallUnsafe.state();
            return (int)
                    DowncallUnsafe.resultOf(
                            (long) SYSCALL.invokeExact(state, PIDFD_OPEN, process, 0), state);
        } catch (Throwable e) {
            throw DowncallUnsafe.mistake(e);
        }
    }
}
