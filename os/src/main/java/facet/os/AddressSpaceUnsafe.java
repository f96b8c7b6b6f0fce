package facet.os;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Mapping, advising, unmapping. All results are those of the system, or minus errno.
 *
 * <p>SAFETY: {@link #unmap} and {@link #advise} only with the address and length of a mapping of
 * our own that nobody uses any more (unmap), or whose content may go (MADV_DONTNEED).
 */
final class AddressSpaceUnsafe {
    static final int SHARED = 0x4001; // MAP_SHARED | MAP_NORESERVE
    static final int ANONYMOUS = 0x4022; // MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE
    static final int DONT_NEED = 4; // MADV_DONTNEED
    static final int HUGE_PAGES = 14; // MADV_HUGEPAGE
    private static final int READ_WRITE = 3; // PROT_READ | PROT_WRITE

    private static final MethodHandle MMAP =
            DowncallUnsafe.handle(
                    "mmap",
                    FunctionDescriptor.of(
                            JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT,
                            JAVA_LONG));
    private static final MethodHandle MUNMAP =
            DowncallUnsafe.handle("munmap", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle MADVISE =
            DowncallUnsafe.handle(
                    "madvise", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT));

    private AddressSpaceUnsafe() {}

    /** The address of the new mapping. */
    static long map(long bytes, int flags, int descriptor) {
        try {
            MemorySegment state = DowncallUnsafe.state();
            return DowncallUnsafe.resultOf(
                    (long) MMAP.invokeExact(state, 0L, bytes, READ_WRITE, flags, descriptor, 0L),
                    state);
        } catch (Throwable e) {
            throw DowncallUnsafe.mistake(e);
        }
    }

    static int advise(long address, long bytes, int advice) {
        try {
            MemorySegment state = DowncallUnsafe.state();
            return DowncallUnsafe.resultOf(
                    (int) MADVISE.invokeExact(state, address, bytes, advice), state);
        } catch (Throwable e) {
            throw DowncallUnsafe.mistake(e);
        }
    }

    static void unmap(long address, long bytes) {
        try {
            MemorySegment state = DowncallUnsafe.state();
            int result =
                    DowncallUnsafe.resultOf((int) MUNMAP.invokeExact(state, address, bytes), state);
            if (result < 0) {
                throw new IllegalStateException("munmap: " + ErrnoUnsafe.text(-result));
            }
        } catch (Throwable e) {
            throw DowncallUnsafe.mistake(e);
        }
    }
}
