package facet.os;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Takes from this process, for good, all that {@link SystemCalls} does not name.
 *
 * <p>SAFETY: the structure names a program and its length; both live until the call is over, and
 * the kernel copies and checks it. Whatever needs a call that is not in the table fails afterwards.
 */
public final class SealUnsafe {
    private static final int PR_SET_DUMPABLE = 4;
    private static final int PR_SET_NO_NEW_PRIVS = 38;
    private static final long SECCOMP = 317; // on x86-64
    private static final int SET_MODE_FILTER = 1;
    private static final int ALL_THREADS = 1; // SECCOMP_FILTER_FLAG_TSYNC

    private static final MethodHandle PRCTL =
            DowncallUnsafe.variadic(
                    "prctl",
                    1,
                    FunctionDescriptor.of(
                            JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));

    private static final MethodHandle SYSCALL =
            DowncallUnsafe.variadic(
                    "syscall",
                    1,
                    FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, ADDRESS));

    private SealUnsafe() {}

    /** For all threads of this process, and those that they start. */
    public static void close() throws IOException {
        if (!System.getProperty("os.arch").equals("amd64")) {
            throw new IOException("there is no table of system calls for this kind of machine");
        }
        int process = (int) ProcessHandle.current().pid();
        byte[] program =
                SystemCallFilter.of(
                        SystemCalls.allowed(process), SystemCalls.CLONE3, SystemCalls.ATTACKS);
        // Others of the same user cannot look into it; and no core file has its memory.
        control(PR_SET_DUMPABLE, 0);
        control(PR_SET_NO_NEW_PRIVS, 1);
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment instructions = scratch.allocate(program.length, Long.BYTES);
            MemorySegment.copy(MemorySegment.ofArray(program), 0, instructions, 0, program.length);
            MemorySegment header = scratch.allocate(16, Long.BYTES); // sock_fprog
            header.set(JAVA_SHORT, 0, (short) (program.length / SystemCallFilter.BYTES));
            header.set(ADDRESS, Long.BYTES, instructions);
            MemorySegment state = DowncallUnsafe.state();
            long result =
                    DowncallUnsafe.resultOf(
                            (long)
                                    SYSCALL.invokeExact(
                                            state, SECCOMP, SET_MODE_FILTER, ALL_THREADS, header),
                            state);
            if (result < 0) {
                throw new SystemCallException("cannot filter system calls", (int) -result);
            }
            if (result > 0) {
                throw new IOException("thread " + result + " has a filter of its own");
            }
        } catch (IOException e) {
            throw e;
        } catch (Throwable e) {
            throw DowncallUnsafe.mistake(e);
        }
    }

    private static void control(int option, long value) throws IOException {
        try {
            MemorySegment state = DowncallUnsafe.state();
            int result =
                    DowncallUnsafe.resultOf(
                            (int) PRCTL.invokeExact(state, option, value, 0L, 0L, 0L), state);
            if (result < 0) {
                throw new SystemCallException("cannot set option " + option, -result);
            }
        } catch (IOException e) {
            throw e;
        } catch (Throwable e) {
            throw DowncallUnsafe.mistake(e);
        }
    }
}
