package facet.os;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** Numbers of errors, alike on x86-64 and aarch64, and their text. */
final class ErrnoUnsafe {
    static final int EPERM = 1;
    static final int ENOENT = 2;
    static final int EINTR = 4;
    static final int ENXIO = 6;
    static final int EAGAIN = 11;
    static final int ENOMEM = 12;
    static final int EACCES = 13;
    static final int EINVAL = 22;
    static final int ENFILE = 23;
    static final int EMFILE = 24;
    static final int EPIPE = 32;
    static final int EADDRINUSE = 98;
    static final int ECONNABORTED = 103;
    static final int ECONNRESET = 104;
    static final int ETIMEDOUT = 110;
    static final int ECONNREFUSED = 111;

    private static final int TEXT_LIMIT = 256;

    private static final MethodHandle STRERROR =
            DowncallUnsafe.handle("strerror", FunctionDescriptor.of(ADDRESS, JAVA_INT));

    private ErrnoUnsafe() {}

    /** As the system says it: "Connection refused". */
    static String text(int errno) {
        try {
            MemorySegment text =
                    (MemorySegment) STRERROR.invokeExact(DowncallUnsafe.state(), errno);
            // SAFETY: strerror gives a string that ends with 0 and is shorter than this in glibc
            // and musl. For the numbers of the kernel it is a constant.
            @SuppressWarnings("restricted")
            MemorySegment bounded = text.reinterpret(TEXT_LIMIT);
            return bounded.getString(0);
        } catch (Throwable e) {
            throw DowncallUnsafe.mistake(e);
        }
    }

    /** What a person can do about it, or nothing. */
    static String advice(int errno) {
        return switch (errno) {
            case EMFILE -> "; raise the limit of open files of this process (ulimit -n)";
            case ENFILE -> "; raise the system's limit of open files (sysctl fs.file-max)";
            case ENOMEM -> "; free memory, or raise the limit of this process or its cgroup";
            case EPERM, EACCES -> "; run as a user who may, or change the permissions";
            default -> "";
        };
    }
}
