package facet.node.confine;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** Any system call, with any arguments. */
@SuppressWarnings("restricted") // a test that asks the system for what it must not give
final class CallsUnsafe {
    private static final Linker LINKER = Linker.nativeLinker();
    private static final long ERRNO =
            Linker.Option.captureStateLayout()
                    .byteOffset(MemoryLayout.PathElement.groupElement("errno"));
    private static final MethodHandle SYSCALL =
            LINKER.downcallHandle(
                    LINKER.defaultLookup().findOrThrow("syscall"),
                    FunctionDescriptor.of(
                            JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG,
                            JAVA_LONG, JAVA_LONG),
                    Linker.Option.captureCallState("errno"),
                    Linker.Option.firstVariadicArg(1));

    /** mov eax, 20 (getpid of 32-bit programs); int 0x80; ret. */
    private static final byte[] OLD_DOOR = {
        (byte) 0xb8, 20, 0, 0, 0, (byte) 0xcd, (byte) 0x80, (byte) 0xc3
    };

    private static final MethodHandle CODE = LINKER.downcallHandle(FunctionDescriptor.of(JAVA_INT));

    private CallsUnsafe() {}

    /** The result, or minus errno. */
    static long call(long number, long... arguments) {
        long[] all = java.util.Arrays.copyOf(arguments, 6);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(Linker.Option.captureStateLayout());
            long result =
                    (long)
                            SYSCALL.invokeExact(
                                    state, number, all[0], all[1], all[2], all[3], all[4], all[5]);
            return result == -1 ? -state.get(JAVA_INT, ERRNO) : result;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /** A path or another text, for as long as the process lives. */
    static long text(String text) {
        return Arena.global().allocateFrom(text).address();
    }

    /** Two numbers of 8 bytes: struct iovec, struct rlimit. */
    static long vector(long first, long second) {
        return Arena.global().allocateFrom(JAVA_LONG, first, second).address();
    }

    static long numbers(int... numbers) {
        return Arena.global().allocateFrom(JAVA_INT, numbers).address();
    }

    /** A sockaddr_un. */
    static long address(String name, boolean isAbstract) {
        MemorySegment address = Arena.global().allocate(110, 8);
        address.set(JAVA_BYTE, 0, (byte) 1);
        address.setString(isAbstract ? 3 : 2, name);
        return address.address();
    }

    /** The descriptor of a socket that listens at an abstract name. */
    static int listen(String name) {
        long socket = call(41, 1, 1, 0);
        long bound = call(49, socket, address(name, true), 3 + name.length());
        long listening = call(50, socket, 1);
        if (socket < 0 || bound < 0 || listening < 0) {
            throw new IllegalStateException("cannot listen at " + name);
        }
        return (int) socket;
    }

    /** A sockaddr_in of 127.0.0.1. */
    static long loopback(int port) {
        MemorySegment address = Arena.global().allocate(16, 8);
        byte[] bytes = {2, 0, (byte) (port >> 8), (byte) port, 127, 0, 0, 1};
        MemorySegment.copy(bytes, 0, address, JAVA_BYTE, 0, bytes.length);
        return address.address();
    }

    static long memory(long bytes) {
        return Arena.global().allocate(bytes, 16).address();
    }

    /** Calls the kernel by the entry of 32-bit programs, whose numbers mean other calls. */
    static long oldDoor() {
        long page = call(9, 0, 4096, 7, 0x22, -1, 0);
        MemorySegment code = MemorySegment.ofAddress(page).reinterpret(4096);
        MemorySegment.copy(OLD_DOOR, 0, code, JAVA_BYTE, 0, OLD_DOOR.length);
        try {
            return (int) CODE.invokeExact(code);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}
