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
 * Outputs of this process: a driver writes there what kernels print, and to that of errors which
 * asserts have failed. It goes to a file without a name, which never makes the writer wait. One
 * thread at a time.
 *
 * <p>SAFETY: signatures are those of libc on 64-bit Linux; buffers live until the call has
 * returned. Descriptor 1 is nobody else's in a worker; what others write to 2 is passed on.
 */
public final class OutputUnsafe {
    private static final int STANDARD_OUTPUT = 1;
    private static final int STANDARD_ERRORS = 2;
    private static final int CLOSE_ON_EXEC = 1;
    private static final int FROM_START = 0;
    private static final int FROM_END = 2;
    private static final long MOST = 16L << 20;

    private static final MethodHandle MEMFD_CREATE =
            function("memfd_create", JAVA_INT, ADDRESS, JAVA_INT);
    private static final MethodHandle DUP = function("dup", JAVA_INT, JAVA_INT);
    private static final MethodHandle DUP2 = function("dup2", JAVA_INT, JAVA_INT, JAVA_INT);
    private static final MethodHandle LSEEK =
            function("lseek", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT);
    private static final MethodHandle FTRUNCATE =
            function("ftruncate", JAVA_INT, JAVA_INT, JAVA_LONG);
    private static final MethodHandle PREAD =
            function("pread", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle WRITE =
            function("write", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG);
    private static final MethodHandle FFLUSH = function("fflush", JAVA_INT, ADDRESS);

    private final int descriptor;
    private final int file;
    private final int before;

    private OutputUnsafe(int descriptor, int file, int before) {
        this.descriptor = descriptor;
        this.file = file;
        this.before = before;
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
        OutputUnsafe made = of(STANDARD_OUTPUT);
        made.begin();
        return made;
    }

    /** Of errors, between {@link #begin} and {@link #end}. */
    public static OutputUnsafe errors() {
        return of(STANDARD_ERRORS);
    }

    private static OutputUnsafe of(int descriptor) {
        try (Arena arena = Arena.ofConfined()) {
            int file =
                    (int)
                            MEMFD_CREATE.invokeExact(
                                    arena.allocateFrom("facet-output"), CLOSE_ON_EXEC);
            int before = (int) DUP.invokeExact(descriptor);
            if (file < 0) {
                throw new IllegalStateException("there is no file for what kernels print");
            }
            return new OutputUnsafe(descriptor, file, before);
        } catch (Throwable e) {
            throw thrown(e);
        }
    }

    public void begin() {
        use(file);
    }

    /** It goes where it went before. */
    public void end() {
        try {
            int _ = (int) FFLUSH.invokeExact(MemorySegment.NULL);
        } catch (Throwable e) {
            throw thrown(e);
        }
        use(before);
    }

    private void use(int from) {
        try {
            int result = (int) DUP2.invokeExact(from, descriptor);
            if (result < 0) {
                throw new IllegalStateException("output " + descriptor + " cannot be redirected");
            }
        } catch (Throwable e) {
            throw thrown(e);
        }
    }

    /** Writes what was taken and is not a kernel's where it was meant to go. */
    public void passOn(String text) {
        try (Arena arena = Arena.ofConfined()) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            MemorySegment place = arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes);
            // What does not fit in a pipe that nobody reads is lost, as any line of a log would be.
            long _ = (long) WRITE.invokeExact(before, place, (long) bytes.length);
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
