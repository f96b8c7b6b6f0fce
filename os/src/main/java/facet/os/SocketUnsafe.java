package facet.os;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Unix sockets. All results are those of the system, or minus errno.
 *
 * <p>SAFETY: every structure is built here, in memory that lives until the call is over, with the
 * sizes that are told to the system.
 */
final class SocketUnsafe {
    static final int PATH_LIMIT = 107; // sun_path has 108 bytes, the last one 0
    private static final short AF_UNIX = 1;
    private static final int SOCK_CLOEXEC = 0x80000;
    private static final int SOL_SOCKET = 1;
    private static final int SO_PEERCRED = 17;
    private static final int SO_SNDTIMEO = 21;
    private static final int SHUT_RDWR = 2;
    private static final short POLLIN = 1;

    private static final MethodHandle SOCKET =
            DowncallUnsafe.handle(
                    "socket", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT));
    private static final MethodHandle SOCKETPAIR =
            DowncallUnsafe.handle(
                    "socketpair",
                    FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS));
    private static final MethodHandle BIND = addressCall("bind");
    private static final MethodHandle CONNECT = addressCall("connect");
    private static final MethodHandle LISTEN =
            DowncallUnsafe.handle("listen", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
    private static final MethodHandle ACCEPT =
            DowncallUnsafe.handle(
                    "accept4",
                    FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, ADDRESS, JAVA_INT));
    private static final MethodHandle SHUTDOWN =
            DowncallUnsafe.handle("shutdown", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
    private static final MethodHandle POLL =
            DowncallUnsafe.handle(
                    "poll", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));
    private static final MethodHandle GETSOCKOPT =
            DowncallUnsafe.handle(
                    "getsockopt",
                    FunctionDescriptor.of(
                            JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, ADDRESS));
    private static final MethodHandle SETSOCKOPT =
            DowncallUnsafe.handle(
                    "setsockopt",
                    FunctionDescriptor.of(
                            JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));

    private SocketUnsafe() {}

    private static MethodHandle addressCall(String name) {
        return DowncallUnsafe.handle(
                name, FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));
    }

    static int open(SocketKind kind) {
        try {
            MemorySegment state = DowncallUnsafe.state();
            return DowncallUnsafe.resultOf(
                    (int) SOCKET.invokeExact(state, (int) AF_UNIX, kind.number() | SOCK_CLOEXEC, 0),
                    state);
        } catch (Throwable e) {
            throw DowncallUnsafe.mistake(e);
        }
    }

    /** Puts two connected descriptors in {@code ends}. */
    static int pair(SocketKind kind, int[] ends) {
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment state = DowncallUnsafe.state();
            MemorySegment both = scratch.allocate(JAVA_INT, 2);
            int result =
                    (int)
                            SOCKETPAIR.invokeExact(
                                    state, (int) AF_UNIX, kind.number() | SOCK_CLOEXEC, 0, both);
            ends[0] = both.getAtIndex(JAVA_INT, 0);
            ends[1] = both.getAtIndex(JAVA_INT, 1);
            return DowncallUnsafe.resultOf(result, state);
        } catch (Throwable e) {
            throw DowncallUnsafe.mistake(e);
        }
    }

    static int bind(int descriptor, byte[] path) {
        return withAddress(BIND, descriptor, path);
    }

    static int connect(int descriptor, byte[] path) {
        return withAddress(CONNECT, descriptor, path);
    }

    private static int withAddress(MethodHandle call, int descriptor, byte[] path) {
        if (path.length > PATH_LIMIT) {
            throw new IllegalArgumentException("path of " + path.length + " bytes");
        }
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment state = DowncallUnsafe.state();
            MemorySegment address = scratch.allocate(2 + PATH_LIMIT + 1, 8); // sockaddr_un
            address.set(JAVA_SHORT, 0, AF_UNIX);
            MemorySegment.copy(MemorySegment.ofArray(path), 0, address, 2, path.length);
            // An abstract name begins with 0 and is as long as the address says; a path ends with
            // 0.
            boolean isAbstract = path.length > 0 && path[0] == 0;
            int length = isAbstract ? 2 + path.length : (int) address.byteSize();
            return DowncallUnsafe.resultOf(
                    (int) call.invokeExact(state, descriptor, address, length), state);
        } catch (Throwable e) {
            throw DowncallUnsafe.mistake(e);
        }
    }

    static int listen(int descriptor, int backlog) {
        try {
            MemorySegment state = DowncallUnsafe.state();
            return DowncallUnsafe.resultOf(
                    (int) LISTEN.invokeExact(state, descriptor, backlog), state);
        } catch (Throwable e) {
            throw DowncallUnsafe.mistake(e);
        }
    }

    static int accept(int descriptor) {
        try {
            MemorySegment state = DowncallUnsafe.state();
            return DowncallUnsafe.resultOf(
                    (int)
                            ACCEPT.invokeExact(
                                    state,
                                    descriptor,
                                    MemorySegment.NULL,
                                    MemorySegment.NULL,
                                    SOCK_CLOEXEC),
                    state);
        } catch (Throwable e) {
            throw DowncallUnsafe.mistake(e);
        }
    }

    /** Both directions; wakes whoever blocks on it, in accept too. */
    static int shutdown(int descriptor) {
        try {
            MemorySegment state = DowncallUnsafe.state();
            return DowncallUnsafe.resultOf(
                    (int) SHUTDOWN.invokeExact(state, descriptor, SHUT_RDWR), state);
        } catch (Throwable e) {
            throw DowncallUnsafe.mistake(e);
        }
    }

    /** 1 when there is something to read or the peer is gone, 0 when the time was over. */
    static int poll(int descriptor, int milliseconds) {
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment state = DowncallUnsafe.state();
            MemorySegment entry = scratch.allocate(8, 4); // pollfd
            entry.set(JAVA_INT, 0, descriptor);
            entry.set(JAVA_SHORT, 4, POLLIN);
            return DowncallUnsafe.resultOf(
                    (int) POLL.invokeExact(state, entry, 1L, milliseconds), state);
        } catch (Throwable e) {
            throw DowncallUnsafe.mistake(e);
        }
    }

    /** Puts pid, uid and gid in {@code credentials}. */
    static int peer(int descriptor, int[] credentials) {
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment state = DowncallUnsafe.state();
            MemorySegment value = scratch.allocate(JAVA_INT, 3); // ucred
            MemorySegment length = scratch.allocateFrom(JAVA_INT, (int) value.byteSize());
            int result =
                    (int)
                            GETSOCKOPT.invokeExact(
                                    state, descriptor, SOL_SOCKET, SO_PEERCRED, value, length);
            MemorySegment.copy(value, JAVA_INT, 0, credentials, 0, 3);
            return DowncallUnsafe.resultOf(result, state);
        } catch (Throwable e) {
            throw DowncallUnsafe.mistake(e);
        }
    }

    /** How long a send may block; 0 is for ever. */
    static int sendTimeout(int descriptor, long microseconds) {
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment state = DowncallUnsafe.state();
            MemorySegment time = scratch.allocate(JAVA_LONG, 2); // timeval
            time.setAtIndex(JAVA_LONG, 0, microseconds / 1_000_000);
            time.setAtIndex(JAVA_LONG, 1, microseconds % 1_000_000);
            return DowncallUnsafe.resultOf(
                    (int)
                            SETSOCKOPT.invokeExact(
                                    state,
                                    descriptor,
                                    SOL_SOCKET,
                                    SO_SNDTIMEO,
                                    time,
                                    (int) time.byteSize()),
                    state);
        } catch (Throwable e) {
            throw DowncallUnsafe.mistake(e);
        }
    }
}
