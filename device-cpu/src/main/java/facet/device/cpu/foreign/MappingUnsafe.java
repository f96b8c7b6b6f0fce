package facet.device.cpu.foreign;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Anonymous memory from the kernel: zeroed, touched lazily, in huge pages where there are.
 *
 * <p>SAFETY: the address is valid until {@link #close}; whoever keeps it must know that nobody
 * reads or writes it after that.
 */
public final class MappingUnsafe implements AutoCloseable {
    private static final int PROTECTION = 3; // PROT_READ | PROT_WRITE
    private static final int FLAGS = 0x4022; // MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE
    private static final int DONT_NEED = 4; // MADV_DONTNEED
    private static final int HUGE_PAGES = 14; // MADV_HUGEPAGE
    private static final long HUGE = 2L << 20;
    private static final long PAGE = 4096;

    private static final MethodHandle MMAP =
            handle(
                    "mmap",
                    FunctionDescriptor.of(
                            ADDRESS, ADDRESS, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG));
    private static final MethodHandle MUNMAP =
            handle("munmap", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG));
    private static final MethodHandle MADVISE =
            handle("madvise", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));

    private final MemorySegment segment;

    private MappingUnsafe(MemorySegment segment) {
        this.segment = segment;
    }

    private static MethodHandle handle(String name, FunctionDescriptor signature) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), signature);
    }

    /** For small or scattered use. */
    public static MappingUnsafe of(long bytes) {
        return map((bytes + PAGE - 1) / PAGE * PAGE, false);
    }

    /** For data: in huge pages where the system has them. */
    public static MappingUnsafe huge(long bytes) {
        return map((bytes + HUGE - 1) / HUGE * HUGE, true);
    }

    private static MappingUnsafe map(long size, boolean huge) {
        try {
            MemorySegment address =
                    (MemorySegment)
                            MMAP.invokeExact(MemorySegment.NULL, size, PROTECTION, FLAGS, -1, 0L);
            if (address.address() == -1) {
                throw new OutOfMemoryError("the system gives no mapping of " + size + " bytes");
            }
            MemorySegment segment = address.reinterpret(size);
            if (huge) {
                int ignored = (int) MADVISE.invokeExact(segment, size, HUGE_PAGES);
            }
            return new MappingUnsafe(segment);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    public long address() {
        return segment.address();
    }

    public MemorySegment segment() {
        return segment;
    }

    /** Makes the range read as zeros again, whole pages by giving them back to the system. */
    public void zero(long offset, long bytes) {
        long first = (offset + PAGE - 1) / PAGE * PAGE;
        long last = (offset + bytes) / PAGE * PAGE;
        if (last - first < 16 * PAGE) {
            segment.asSlice(offset, bytes).fill((byte) 0);
            return;
        }
        segment.asSlice(offset, first - offset).fill((byte) 0);
        segment.asSlice(last, offset + bytes - last).fill((byte) 0);
        try {
            int result = (int) MADVISE.invokeExact(segment.asSlice(first), last - first, DONT_NEED);
            if (result != 0) {
                segment.asSlice(first, last - first).fill((byte) 0);
            }
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        try {
            int ignored = (int) MUNMAP.invokeExact(segment, segment.byteSize());
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}
