package facet.device.nvidia.foreign;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;

/**
 * The output of this process: a driver writes there what kernels print. It goes to a file without a
 * name, which never makes the writer wait. One thread at a time.
 *
 * <p>SAFETY: signatures are those of libc on 64-bit Linux; buffers live until the call has
 * returned. Descriptor 1 is nobody else's in a worker.
 */
public final class OutputUnsafe {
    private static final int STANDARD_OUTPUT = 1;
    private static final int CLOSE_ON_EXEC = 1;
    private static final int FROM_START = 0;
    private static final int FROM_END = 2;
    private static final long MOST = 16L << 20;

    private static final MethodHandle MEMFD_CREATE =
            function("memfd_create", JAVA_INT, ADDRESS, JAVA_INT);
    private static final MethodHandle DUP2 = function("dup2", JAVA_INT, JAVA_INT, JAVA_INT);
    private static final MethodHandle LSEEK =
            function("lseek", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT);
    private static final MethodHandle FTRUNCATE =
            function("ftruncate", JAVA_INT, JAVA_INT, JAVA_LONG);
    private static final MethodHandle PREAD =
            function("pread", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle FFLUSH = function("fflush", JAVA_INT, ADDRESS);

    private final int file;

    private OutputUnsafe(int file) {
        this.file = file;
    }

    @SuppressWarnings("restricted") // see SAFETY
    private static MethodHandle function(
            String name, ValueLayout result, ValueLayout... arguments) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(
                linker.defaultLookup().findOrThrow(name), FunctionDescriptor.of(result, arguments));
    }

    /** From now on; whatever this process prints is kept. */
    public static OutputUnsafe redirect() {
        try (Arena arena = Arena.ofConfined()) {
            int file =
                    (int)
                            MEMFD_CREATE.invokeExact(
                                    arena.allocateFrom("facet-output"), CLOSE_ON_EXEC);
            int result = (int) DUP2.invokeExact(file, STANDARD_OUTPUT);
            if (file < 0 || result < 0) {
                throw new IllegalStateException("there is no file for what kernels print");
            }
            return new OutputUnsafe(file);
        } catch (Throwable e) {
            throw thrown(e);
        }
    }

    /** What was printed since the last time; what is too much is cut. */
    public String take() {
        try (Arena arena = Arena.ofConfined()) {
            int _ = (int) FFLUSH.invokeExact(MemorySegment.NULL);
            long bytes = Math.min(MOST, (long) LSEEK.invokeExact(file, 0L, FROM_END));
            String text = "";
            if (bytes > 0) {
                MemorySegment place = arena.allocate(bytes);
                long read = (long) PREAD.invokeExact(file, place, bytes, 0L);
                byte[] all = place.asSlice(0, Math.max(0, read)).toArray(ValueLayout.JAVA_BYTE);
                text = new String(all, StandardCharsets.UTF_8);
            }
            int _ = (int) FTRUNCATE.invokeExact(file, 0L);
            long _ = (long) LSEEK.invokeExact(file, 0L, FROM_START);
            return text;
        } catch (Throwable e) {
            throw thrown(e);
        }
    }

    private static RuntimeException thrown(Throwable e) {
        return switch (e) {
            case RuntimeException known -> known;
            case Error error -> throw error;
            default -> new IllegalStateException(e);
        };
    }
}
