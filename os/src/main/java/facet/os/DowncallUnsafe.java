package facet.os;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Handles of libc's functions. Each takes {@link #state} as its first argument and leaves errno
 * there.
 *
 * <p>SAFETY: a signature must be that of the system's function on 64-bit Linux; arguments that are
 * addresses must be valid for what the function does with them.
 */
final class DowncallUnsafe {
    private static final long ERRNO =
            Linker.Option.captureStateLayout()
                    .byteOffset(MemoryLayout.PathElement.groupElement("errno"));

    private static final ThreadLocal<MemorySegment> STATE =
            ThreadLocal.withInitial(
                    () -> Arena.ofAuto().allocate(Linker.Option.captureStateLayout()));

    private DowncallUnsafe() {}

    static MethodHandle handle(String name, FunctionDescriptor signature) {
        return link(name, signature, Linker.Option.captureCallState("errno"));
    }

    /**
     * For functions like {@code fcntl(int, int, ...)}: arguments from {@code first} are variadic.
     */
    static MethodHandle variadic(String name, int first, FunctionDescriptor signature) {
        return link(
                name,
                signature,
                Linker.Option.captureCallState("errno"),
                Linker.Option.firstVariadicArg(first));
    }

    // SAFETY: see the class.
    @SuppressWarnings("restricted")
    private static MethodHandle link(
            String name, FunctionDescriptor signature, Linker.Option... options) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), signature, options);
    }

    /** Where the calling thread's errno goes. */
    static MemorySegment state() {
        return STATE.get();
    }

    /** The result itself, or minus errno when it is -1. */
    static long resultOf(long result, MemorySegment state) {
        return result == -1 ? -state.get(JAVA_INT, ERRNO) : result;
    }

    static int resultOf(int result, MemorySegment state) {
        return (int) resultOf((long) result, state);
    }

    /** Downcalls declare Throwable and throw none but what is a mistake here. */
    static RuntimeException mistake(Throwable thrown) {
        if (thrown instanceof Error error) {
            throw error;
        }
        return thrown instanceof RuntimeException known ? known : new IllegalStateException(thrown);
    }
}
