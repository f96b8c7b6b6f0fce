package facet.os;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.OptionalLong;

/**
 * How long the threads of a process have run, together, or one of them.
 *
 * <p>SAFETY: the struct timespec that the system writes has 16 bytes and lives until the call is
 * over.
 */
public final class ProcessorTimeUnsafe {
    /** CPUCLOCK_SCHED of a whole process; clock_getcpuclockid(3) makes the same number. */
    private static final int SCHEDULED = 2;

    private static final int THIS_THREAD = 3; // CLOCK_THREAD_CPUTIME_ID
    private static final long NANOS = 1_000_000_000L;

    private static final MethodHandle GETTIME =
            DowncallUnsafe.handle(
                    "clock_gettime", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS));

    private ProcessorTimeUnsafe() {}

    /** In nanoseconds; empty when there is no such process. */
    public static OptionalLong of(int process) {
        return read(~process << 3 | SCHEDULED);
    }

    /** The thread that asks, in nanoseconds. */
    public static long ofThisThread() {
        return read(THIS_THREAD).orElseThrow();
    }

    private static OptionalLong read(int clock) {
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment state = DowncallUnsafe.state();
            MemorySegment time = scratch.allocate(16, 8);
            int result =
                    DowncallUnsafe.resultOf((int) GETTIME.invokeExact(state, clock, time), state);
            return result < 0
                    ? OptionalLong.empty()
                    : OptionalLong.of(time.get(JAVA_LONG, 0) * NANOS + time.get(JAVA_LONG, 8));
        } catch (Throwable e) {
            throw DowncallUnsafe.mistake(e);
        }
    }
}
