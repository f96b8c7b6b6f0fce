package facet.os;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * Waiting for many descriptors at once: epoll(7). All results are those of the system, or minus
 * errno.
 *
 * <p>SAFETY: epoll_event has 12 bytes on x86-64, where it is packed, and 16 elsewhere; both are
 * written in memory of 16 bytes. A wait is for one event, so it writes no more than that.
 */
final class EpollUnsafe {
    private static final int EPOLL_CLOEXEC = 0x80000;
    private static final int EPOLL_CTL_ADD = 1;
    private static final int EPOLL_CTL_DEL = 2;
    private static final int EPOLLIN = 1;
    private static final int EPOLLET = 1 << 31;

    /** epoll_pwait2(2), since Linux 5.11; the same on all machines. Older libraries lack it. */
    private static final long EPOLL_PWAIT2 = 441;

    private static final long NANOS = 1_000_000_000L;
    private static final long EVENT_BYTES = 16;
    private static final long DATA =
            System.getProperty("os.arch").equals("amd64") ? 4 : 8; // behind the mask

    private static final ValueLayout.OfLong UNALIGNED = JAVA_LONG.withByteAlignment(1);

    private static final MethodHandle CREATE =
            DowncallUnsafe.handle("epoll_create1", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
    private static final MethodHandle CONTROL =
            DowncallUnsafe.handle(
                    "epoll_ctl",
                    FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS));
    private static final MethodHandle WAIT =
            DowncallUnsafe.handle(
                    "epoll_wait",
                    FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT));

    private static final MethodHandle TIMED_WAIT =
            DowncallUnsafe.variadic(
                    "syscall",
                    1,
                    FunctionDescriptor.of(
                            JAVA_LONG, JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT, ADDRESS, JAVA_LONG,
                            JAVA_LONG));

    private EpollUnsafe() {}

    static int create() {
        try {
            MemorySegment state = DowncallUnsafe.state();
            return DowncallUnsafe.resultOf((int) CREATE.invokeExact(state, EPOLL_CLOEXEC), state);
        } catch (Throwable e) {
            throw DowncallUnsafe.mistake(e);
        }
    }

    /** Also while another thread waits: it wakes when the descriptor can be read. */
    static int add(int poll, int descriptor) {
        return control(poll, EPOLL_CTL_ADD, descriptor, EPOLLIN);
    }

    /** Tells of it once each time that it is written to, whether it was read meanwhile or not. */
    static int addChanging(int poll, int descriptor) {
        return control(poll, EPOLL_CTL_ADD, descriptor, EPOLLIN | EPOLLET);
    }

    static int remove(int poll, int descriptor) {
        return control(poll, EPOLL_CTL_DEL, descriptor, 0);
    }

    private static int control(int poll, int operation, int descriptor, int events) {
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment state = DowncallUnsafe.state();
            MemorySegment event = scratch.allocate(EVENT_BYTES, 8);
            event.set(JAVA_INT, 0, events);
            event.set(UNALIGNED, DATA, descriptor);
            return DowncallUnsafe.resultOf(
                    (int) CONTROL.invokeExact(state, poll, operation, descriptor, event), state);
        } catch (Throwable e) {
            throw DowncallUnsafe.mistake(e);
        }
    }

    /** Waits for a descriptor that can be read, and tells which. */
    static int await(int poll) {
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment state = DowncallUnsafe.state();
            MemorySegment event = scratch.allocate(EVENT_BYTES, 8);
            int result =
                    DowncallUnsafe.resultOf(
                            (int) WAIT.invokeExact(state, poll, event, 1, -1), state);
            return result < 0 ? result : (int) event.get(UNALIGNED, DATA);
        } catch (Throwable e) {
            throw DowncallUnsafe.mistake(e);
        }
    }

    /** Waits for a descriptor that can be read, but no longer than this; 0: there was none. */
    static int await(int poll, long nanos) {
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment state = DowncallUnsafe.state();
            MemorySegment event = scratch.allocate(EVENT_BYTES, 8);
            MemorySegment time = scratch.allocate(16, 8);
            time.set(JAVA_LONG, 0, nanos / NANOS);
            time.set(JAVA_LONG, 8, nanos % NANOS);
            long result =
                    DowncallUnsafe.resultOf(
                            (long)
                                    TIMED_WAIT.invokeExact(
                                            state, EPOLL_PWAIT2, poll, event, 1, time, 0L, 0L),
                            state);
            return result <= 0 ? (int) result : (int) event.get(UNALIGNED, DATA);
        } catch (Throwable e) {
            throw DowncallUnsafe.mistake(e);
        }
    }
}
