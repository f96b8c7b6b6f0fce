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
 * our own that nobody uses any more (unmap), or whose content may go (MADV_DONTNEED); {@link
 * #mapAt} only inside of a reservation of our own, as it replaces what is there.
 */
final class AddressSpaceUnsafe {
    static final int SHARED = 0x4001; // MAP_SHARED | MAP_NORESERVE
    static final int ANONYMOUS = 0x4022; // MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE
    private static final int FIXED = 0x10; // MAP_FIXED
    static final int DONT_NEED = 4; // MADV_DONTNEED
    static final int HUGE_PAGES = 14; // MADV_HUGEPAGE
    private static final int NO_ACCESS = 0; // PROT_NONE
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
        return map(0, bytes, READ_WRITE, flags, descriptor, 0);
    }

    /** Address space that nobody can read or write, and nobody else is given. */
    static long reserve(long bytes) {
        return map(0, bytes, NO_ACCESS, ANONYMOUS, -1, 0);
    }

    /** Maps into a reservation. */
    static long mapAt(long address, long bytes, int flags, int descriptor) {
        return mapAt(address, bytes, flags, descriptor, 0);
    }

    /**
     * @param offset in the file
     */
    static long mapAt(long address, long bytes, int flags, int descriptor, long offset) {
        return map(address, bytes, READ_WRITE, flags | FIXED, descriptor, offset);
    }

    private static long map(
            long address, long bytes, int access, int flags, int descriptor, long offset) {
        try {
            MemorySegment state = DowncallUnsafe.state();
            return DowncallUnsafe.resultOf(
                    (long)
                            MMAP.invokeExact(
                                    state, address, bytes, access, flags, descriptor, offset),
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
