package facet.os;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.IOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * How much a thread steps back for others that want its core: 0 for most, 19 for one that takes
 * what is left.
 *
 * <p>SAFETY: only numbers are passed.
 */
public final class NicenessUnsafe {
    private static final int PRIO_PROCESS = 0;

    private static final MethodHandle GET_PRIORITY =
            DowncallUnsafe.handle(
                    "getpriority", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));

    private static final MethodHandle SET_PRIORITY =
            DowncallUnsafe.handle(
                    "setpriority", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT));

    private NicenessUnsafe() {}

    /**
     * For all threads of a process with such a name, as far as there are any yet; those that they
     * start have the same. Less is only for root's processes.
     *
     * @return whether the system took it for all
     */
    public static boolean set(int process, Predicate<String> name, int nice) throws IOException {
        boolean taken = true;
        try (Stream<Path> threads = Files.list(Path.of("/proc/" + process + "/task"))) {
            for (Path each : threads.toList()) {
                if (name.test(nameOf(each))) {
                    taken &= set(Integer.parseInt(each.getFileName().toString()), nice);
                }
            }
        } catch (NoSuchFileException e) {
            return false; // the process has ended
        }
        return taken;
    }

    /** Of the calling thread. */
    public static int own() {
        try {
            return (int) GET_PRIORITY.invokeExact(DowncallUnsafe.state(), PRIO_PROCESS, 0);
        } catch (Throwable e) {
            throw DowncallUnsafe.mistake(e);
        }
    }

    /**
     * Whether a thread that has stepped back may come forward again: tried, by one that ends then.
     */
    public static boolean isReversible() throws InterruptedException {
        AtomicBoolean may = new AtomicBoolean();
        int usual = own();
        Thread.ofPlatform().start(() -> may.set(set(0, usual + 1) && set(0, usual))).join();
        return may.get();
    }

    /** Empty when it has just ended. */
    private static String nameOf(Path thread) throws IOException {
        try {
            return Files.readString(thread.resolve("comm")).strip();
        } catch (NoSuchFileException e) {
            return "";
        }
    }

    /** 0 is the calling thread. */
    private static boolean set(int thread, int nice) {
        try {
            MemorySegment state = DowncallUnsafe.state();
            return (int) SET_PRIORITY.invokeExact(state, PRIO_PROCESS, thread, nice) == 0;
        } catch (Throwable e) {
            throw DowncallUnsafe.mistake(e);
        }
    }
}
