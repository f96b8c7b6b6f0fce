package facet.os;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Descriptors that stand for a process, and one that can be read at once. All results are those of
 * the system, or minus errno.
 *
 * <p>SAFETY: only numbers go to the system.
 */
final class PidfdUnsafe {
    /**
     * pidfd_open(2), since Linux 5.3; the same on all machines. Older libraries have no function.
     */
    private static final long PIDFD_OPEN = 434;

    private static final int EFD_CLOEXEC = 0x80000;

    private static final MethodHandle SYSCALL =
            DowncallUnsafe.variadic(
                    "syscall", 1, FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT));
    private static final MethodHandle EVENTFD =
            DowncallUnsafe.handle("eventfd", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));

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

    /** Can be read from the start. */
    static int ready() {
        try {
            MemorySegment state = DowncallUnsafe.state();
            return DowncallUnsafe.resultOf((int) EVENTFD.invokeExact(state, 1, EFD_CLOEXEC), state);
        } catch (Throwable e) {
            throw DowncallUnsafe.mistake(e);
        }
    }
}
