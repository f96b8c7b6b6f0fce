package facet.os;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Descriptors that become readable when somebody says so: eventfd(2). All results are those of the
 * system, or minus errno.
 *
 * <p>SAFETY: only numbers go to the system; libc writes the eight bytes of an event itself.
 */
final class EventUnsafe {
    private static final int EFD_CLOEXEC = 0x80000;
    private static final int EFD_NONBLOCK = 0x800;

    private static final MethodHandle EVENTFD =
            DowncallUnsafe.handle("eventfd", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
    private static final MethodHandle WRITE =
            DowncallUnsafe.handle(
                    "eventfd_write", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG));

    private EventUnsafe() {}

    /**
     * @param count readable from the start when it is not 0
     */
    static int create(int count) {
        try {
            MemorySegment state = DowncallUnsafe.state();
            return DowncallUnsafe.resultOf(
                    (int) EVENTFD.invokeExact(state, count, EFD_CLOEXEC | EFD_NONBLOCK), state);
        } catch (Throwable e) {
            throw DowncallUnsafe.mistake(e);
        }
    }

    /** Makes it readable, and wakes who waits for that. Never waits itself. */
    static int write(int descriptor) {
        try {
            MemorySegment state = DowncallUnsafe.state();
            return DowncallUnsafe.resultOf((int) WRITE.invokeExact(state, descriptor, 1L), state);
        } catch (Throwable e) {
            throw DowncallUnsafe.mistake(e);
        }
    }
}
