package facet.os;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * What the system makes of a thread that wants a core: sched_setattr(2), which older libraries have
 * no function for.
 *
 * <pre>
 *   0   u32 size          of this: 48 bytes
 *   4   u32 policy        usual or first
 *   8   u64 flags
 *   16  s32 nice          how much it steps back for others, 0 for most; up to 19
 *   20  u32 priority      of one that is first
 *   24  u64 runtime       its turn: so long it runs before the system looks whether another should
 *   32  u64 deadline, 40 u64 period
 * </pre>
 *
 * <p>SAFETY: the structure has the size that it names, and is written before the call.
 */
public final class SchedulingUnsafe {
    /** Steps back as far as one can: some hundredth of what others weigh. */
    public static final int MOST_NICE = 19;

    private static final long SIZE = 48;
    private static final long POLICY = 4;
    private static final long NICE = 16;
    private static final long PRIORITY = 20;
    private static final long RUNTIME = 24;
    private static final int SCHED_FIFO = 1;

    private static final MethodHandle SET =
            DowncallUnsafe.variadic(
                    "syscall",
                    1,
                    FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT));

    private static final MethodHandle GET =
            DowncallUnsafe.variadic(
                    "syscall",
                    1,
                    FunctionDescriptor.of(
                            JAVA_LONG, JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT));

    private SchedulingUnsafe() {}

    // ---- of the calling thread

    /**
     * How long its turns are; all else stays. A thread that computes all the time keeps one that
     * has just woken waiting for so long: some 3 ms, unless it asks for less. Linux listens since
     * 6.12; before that nothing changes.
     *
     * @param nanos 0.1 to 100 ms
     * @return whether the system took it
     */
    public static boolean askForTurns(long nanos) {
        return change(0, turns(nanos));
    }

    /**
     * It runs before all usual ones whenever it can run: for one that works for microseconds, and
     * that others wait for. A daemon of root's is allowed to.
     *
     * @return whether the system took it
     */
    public static boolean askToBeFirst() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attributes = arena.allocate(SIZE);
            attributes.set(JAVA_INT, 0, (int) SIZE);
            attributes.set(JAVA_INT, POLICY, SCHED_FIFO);
            attributes.set(JAVA_INT, PRIORITY, 1);
            return set(0, attributes);
        }
    }

    public static int ownNiceness() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attributes = arena.allocate(SIZE);
            return get(0, attributes) ? attributes.get(JAVA_INT, NICE) : 0;
        }
    }

    // ---- of others

    /**
     * For all threads of a process with such a name, as far as there are any yet; those that they
     * start have the same. All else stays. Less is only for root's processes.
     *
     * @return whether the system took it for all
     */
    public static boolean set(int process, Predicate<String> name, int nice) throws IOException {
        return changeAll(process, name, nice(nice));
    }

    /**
     * The same for how long their turns are, as in {@link #askForTurns}. Whoever asked for less
     * runs before them when it wakes.
     */
    public static boolean setTurns(int process, Predicate<String> name, long nanos)
            throws IOException {
        return changeAll(process, name, turns(nanos));
    }

    private static boolean changeAll(
            int process, Predicate<String> name, Consumer<MemorySegment> change)
            throws IOException {
        boolean taken = true;
        try (Stream<Path> threads = Files.list(Path.of("/proc/" + process + "/task"))) {
            for (Path each : threads.toList()) {
                if (name.test(nameOf(each))) {
                    taken &= change(Integer.parseInt(each.getFileName().toString()), change);
                }
            }
        } catch (NoSuchFileException e) {
            return false; // the process has ended
        }
        return taken;
    }

    /**
     * Whether a thread that has stepped back may come forward again: tried, by one that ends then.
     */
    public static boolean isReversible() throws InterruptedException {
        AtomicBoolean may = new AtomicBoolean();
        int usual = ownNiceness();
        Thread.ofPlatform()
                .start(() -> may.set(change(0, nice(MOST_NICE)) && change(0, nice(usual))))
                .join();
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

    private static Consumer<MemorySegment> nice(int nice) {
        return attributes -> attributes.set(JAVA_INT, NICE, nice);
    }

    private static Consumer<MemorySegment> turns(long nanos) {
        return attributes -> attributes.set(JAVA_LONG, RUNTIME, nanos);
    }

    /** 0 is the calling thread. */
    private static boolean change(int thread, Consumer<MemorySegment> change) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attributes = arena.allocate(SIZE);
            if (!get(thread, attributes)) {
                return false;
            }
            change.accept(attributes);
            return set(thread, attributes);
        }
    }

    // ---- the calls

    /** 0: not on this machine. */
    private static long number(long amd64, long aarch64) {
        return switch (System.getProperty("os.arch")) {
            case "amd64" -> amd64;
            case "aarch64" -> aarch64;
            default -> 0;
        };
    }

    private static boolean get(int thread, MemorySegment attributes) {
        long number = number(315, 275);
        try {
            return number > 0
                    && 0
                            == (long)
                                    GET.invokeExact(
                                            DowncallUnsafe.state(),
                                            number,
                                            thread,
                                            attributes,
                                            (int) SIZE,
                                            0);
        } catch (Throwable e) {
            throw DowncallUnsafe.mistake(e);
        }
    }

    private static boolean set(int thread, MemorySegment attributes) {
        long number = number(314, 274);
        try {
            return number > 0
                    && 0
                            == (long)
                                    SET.invokeExact(
                                            DowncallUnsafe.state(), number, thread, attributes, 0);
        } catch (Throwable e) {
            throw DowncallUnsafe.mistake(e);
        }
    }
}
