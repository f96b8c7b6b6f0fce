package facet.os;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Files without a name, in memory (memfd). All results are those of the system, or minus errno.
 *
 * <p>SAFETY: the only addresses given to the system are names of files, the room for a file's
 * status, and what {@link #write} reads. They are segments, which live until the call is over;
 * struct statx has 256 bytes.
 */
final class MemoryFileUnsafe {
    static final int F_SEAL_SEAL = 1;
    static final int F_SEAL_SHRINK = 2;
    static final int F_SEAL_GROW = 4;
    private static final int F_ADD_SEALS = 1033;
    private static final int F_GET_SEALS = 1034;
    private static final int MFD_CLOEXEC = 1;
    private static final int MFD_ALLOW_SEALING = 2;
    private static final int MFD_NOEXEC_SEAL = 8; // since Linux 6.3
    private static final int PUNCH_HOLE_KEEP_SIZE = 3;
    private static final int SEEK_END = 2;
    private static final int SEEK_DATA = 3;
    private static final int SEEK_HOLE = 4;
    private static final int AT_EMPTY_PATH = 0x1000;
    private static final int STATX_BLOCKS = 0x400;
    private static final long STATX_BYTES = 256;
    private static final long STATX_BLOCKS_OFFSET = 48;
    private static final long BLOCK = 512; // bytes, whatever the file system has

    private static final MethodHandle MEMFD_CREATE =
            DowncallUnsafe.handle(
                    "memfd_create", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT));
    private static final MethodHandle FTRUNCATE =
            DowncallUnsafe.handle(
                    "ftruncate", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG));
    private static final MethodHandle LSEEK =
            DowncallUnsafe.handle(
                    "lseek", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT));
    private static final MethodHandle FALLOCATE =
            DowncallUnsafe.handle(
                    "fallocate",
                    FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG));

    private static final MethodHandle PWRITE =
            DowncallUnsafe.handle(
                    "pwrite",
                    FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle STATX =
            DowncallUnsafe.handle(
                    "statx",
                    FunctionDescriptor.of(
                            JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT, ADDRESS));

    private MemoryFileUnsafe() {}

    /** Its descriptor. */
    static int create(String name) {
        int flags = MFD_CLOEXEC | MFD_ALLOW_SEALING;
        int result = create(name, flags | MFD_NOEXEC_SEAL);
        return result == -ErrnoUnsafe.EINVAL ? create(name, flags) : result;
    }

    private static int create(String name, int flags) {
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment text = scratch.allocateFrom(name);
            MemorySegment state = DowncallUnsafe.state();
            return DowncallUnsafe.resultOf(
                    (int) MEMFD_CREATE.invokeExact(state, text, flags), state);
        } catch (Throwable e) {
            throw DowncallUnsafe.mistake(e);
        }
    }

    static int resize(int descriptor, long bytes) {
        try {
            MemorySegment state = DowncallUnsafe.state();
            return DowncallUnsafe.resultOf(
                    (int) FTRUNCATE.invokeExact(state, descriptor, bytes), state);
        } catch (Throwable e) {
            throw DowncallUnsafe.mistake(e);
        }
    }

    /** By its end: fstat is no function in glibc before 2.33. */
    static long size(int descriptor) {
        return seek(descriptor, 0, SEEK_END);
    }

    /** Where the first page at or behind an offset is that was ever written; -ENXIO: none is. */
    static long data(int descriptor, long offset) {
        return seek(descriptor, offset, SEEK_DATA);
    }

    /** Where the first page at or behind an offset is that was not; the end of the file at last. */
    static long hole(int descriptor, long offset) {
        return seek(descriptor, offset, SEEK_HOLE);
    }

    private static long seek(int descriptor, long offset, int whence) {
        try {
            MemorySegment state = DowncallUnsafe.state();
            return DowncallUnsafe.resultOf(
                    (long) LSEEK.invokeExact(state, descriptor, offset, whence), state);
        } catch (Throwable e) {
            throw DowncallUnsafe.mistake(e);
        }
    }

    /** How much of it was written. */
    static long write(int descriptor, MemorySegment piece, long offset) {
        try {
            MemorySegment state = DowncallUnsafe.state();
            return DowncallUnsafe.resultOf(
                    (long) PWRITE.invokeExact(state, descriptor, piece, piece.byteSize(), offset),
                    state);
        } catch (Throwable e) {
            throw DowncallUnsafe.mistake(e);
        }
    }

    /** Bytes of the pages that it has; statx, since its layout is the same everywhere. */
    static long resident(int descriptor) {
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment status = scratch.allocate(STATX_BYTES, Long.BYTES);
            MemorySegment nothing = scratch.allocateFrom("");
            MemorySegment state = DowncallUnsafe.state();
            int result =
                    DowncallUnsafe.resultOf(
                            (int)
                                    STATX.invokeExact(
                                            state,
                                            descriptor,
                                            nothing,
                                            AT_EMPTY_PATH,
                                            STATX_BLOCKS,
                                            status),
                            state);
            return result < 0 ? result : status.get(JAVA_LONG, STATX_BLOCKS_OFFSET) * BLOCK;
        } catch (Throwable e) {
            throw DowncallUnsafe.mistake(e);
        }
    }

    /** The range reads as zeros; the system zeroes parts of pages at both ends itself. */
    static int punch(int descriptor, long offset, long bytes) {
        try {
            MemorySegment state = DowncallUnsafe.state();
            return DowncallUnsafe.resultOf(
                    (int)
                            FALLOCATE.invokeExact(
                                    state, descriptor, PUNCH_HOLE_KEEP_SIZE, offset, bytes),
                    state);
        } catch (Throwable e) {
            throw DowncallUnsafe.mistake(e);
        }
    }

    static int seal(int descriptor, int seals) {
        return DescriptorUnsafe.control(descriptor, F_ADD_SEALS, seals);
    }

    static int seals(int descriptor) {
        return DescriptorUnsafe.control(descriptor, F_GET_SEALS, 0);
    }
}
