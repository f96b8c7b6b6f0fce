package facet.os;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Sleeping on a word of shared memory, and waking who sleeps there, in any process.
 *
 * <p>SAFETY: the kernel reads the word through its address and reports one that is not mapped. So a
 * mapping may be closed while a thread sleeps on it.
 */
public final class FutexUnsafe {
    private static final long FUTEX = numberOfFutex(); // glibc has no function for it
    private static final int WAIT = 0; // shared between processes: without FUTEX_PRIVATE_FLAG
    private static final int WAKE = 1;
    private static final long NANOS = 1_000_000_000L;

    private static final MethodHandle SYSCALL =
            DowncallUnsafe.variadic(
                    "syscall",
                    1,
                    FunctionDescriptor.of(
                            JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_LONG,
                            JAVA_LONG, JAVA_INT));

    private static final ThreadLocal<MemorySegment> TIMESPEC =
            ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(16, 8));

    private FutexUnsafe() {}

    private static long numberOfFutex() {
        String machine = System.getProperty("os.arch");
        return switch (machine) {
            case "amd64" -> 202;
            case "aarch64" -> 98;
            default ->
                    throw new UnsupportedOperationException(
                            "Facet runs on x86-64 and aarch64, not on " + machine);
        };
    }

    /**
     * Sleeps while the word is {@code expected}, until woken or the time is over. May return early;
     * whoever waits looks again.
     *
     * @return false when the time was over
     */
    public static boolean await(
            MemorySegment segment, long offset, int expected, long timeoutNanos) {
        if (timeoutNanos <= 0) {
            return false;
        }
        MemorySegment time = TIMESPEC.get();
        time.set(JAVA_LONG, 0, timeoutNanos / NANOS);
        time.set(JAVA_LONG, 8, timeoutNanos % NANOS);
        // The thread keeps this memory as long as it lives.
        long result = call(addressOf(segment, offset), WAIT, expected, time.address());
        if (result == 0 || result == -ErrnoUnsafe.EAGAIN || result == -ErrnoUnsafe.EINTR) {
            return true;
        }
        if (result == -ErrnoUnsafe.ETIMEDOUT) {
            return false;
        }
        throw refused("wait", -result);
    }

    /**
     * @return how many were woken
     */
    public static int wake(MemorySegment segment, long offset, int count) {
        long result = call(addressOf(segment, offset), WAKE, count, 0);
        if (result < 0) {
            throw refused("wake", -result);
        }
        return (int) result;
    }

    private static long addressOf(MemorySegment segment, long offset) {
        return segment.asSlice(offset, Integer.BYTES, Integer.BYTES).address();
    }

    private static long call(long address, int operation, int value, long timeout) {
        try {
            MemorySegment state = DowncallUnsafe.state();
            return DowncallUnsafe.resultOf(
                    (long)
                            SYSCALL.invokeExact(
                                    state, FUTEX, address, operation, value, timeout, 0L, 0),
                    state);
        } catch (Throwable e) {
            throw DowncallUnsafe.mistake(e);
        }
    }

    private static IllegalStateException refused(String operation, long errno) {
        return new IllegalStateException(
                "futex " + operation + ": " + ErrnoUnsafe.text((int) errno));
    }
}
