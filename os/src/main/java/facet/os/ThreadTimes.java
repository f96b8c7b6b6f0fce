package facet.os;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Processor time of some threads of a process. One thread at a time. */
public final class ThreadTimes {
    /** Names of other threads are asked for again after so long. */
    private static final long AGAIN_NANOS = 500_000_000L;

    private final Path folder;
    private final Predicate<String> name;

    private final Set<Path> counted = new HashSet<>();

    /** When the name of each other thread was last asked for. */
    private final Map<Path, Long> others = new HashMap<>();

    /** Of those that have ended: what they had stays part of the sum. */
    private final Map<Path, Long> last = new HashMap<>();

    private long ended;

    /**
     * @param name of those that count
     */
    public ThreadTimes(int process, Predicate<String> name) {
        folder = Path.of("/proc/" + process + "/task");
        this.name = name;
    }

    /** In nanoseconds; never less than before. */
    public long nanos() throws IOException {
        List<Path> threads = threads();
        counted.retainAll(threads);
        others.keySet().retainAll(threads);
        last.entrySet()
                .removeIf(each -> {
                    boolean gone = !counted.contains(each.getKey());
                    ended += gone ? each.getValue() : 0;
                    return gone;
                });
        long sum = ended;
        for (Path each : threads) {
            if (counts(each)) {
                sum += last.merge(each, nanosOf(each), Math::max);
            }
        }
        return sum;
    }

    private List<Path> threads() throws IOException {
        try (Stream<Path> threads = Files.list(folder)) {
            return threads.toList();
        } catch (NoSuchFileException e) {
            return List.of(); // the process has ended
        }
    }

    private boolean counts(Path thread) throws IOException {
        long now = System.nanoTime();
        Long asked = others.get(thread);
        // A thread has its name only when it runs.
        if (!counted.contains(thread) && (asked == null || now - asked > AGAIN_NANOS)) {
            if (name.test(read(thread.resolve("comm")).strip())) {
                counted.add(thread);
                others.remove(thread);
            } else {
                others.put(thread, now);
            }
        }
        return counted.contains(thread);
    }

    private static long nanosOf(Path thread) throws IOException {
        String text = read(thread.resolve("schedstat"));
        return text.isEmpty() ? 0 : Long.parseLong(text.substring(0, text.indexOf(' ')));
    }

    /** Empty when the thread has just ended. */
    private static String read(Path file) throws IOException {
        try {
            return Files.readString(file);
        } catch (NoSuchFileException e) {
            return "";
        } catch (IOException e) {
            if (String.valueOf(e.getMessage()).contains("No such process")) {
                return "";
            }
            throw e;
        }
    }
}
