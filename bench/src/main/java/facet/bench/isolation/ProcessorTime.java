package facet.bench.isolation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Processor time of a process, thread by thread. */
public final class ProcessorTime {
    /** As the device names the threads that run kernels. */
    private static final String WORKER = "worker";

    /** A thread's time in nanoseconds. */
    private record Used(String name, long nanos) {}

    private final Map<String, Used> threads;

    private ProcessorTime(Map<String, Used> threads) {
        this.threads = threads;
    }

    public static ProcessorTime of(long pid) throws IOException {
        Map<String, Used> threads = new HashMap<>();
        List<Path> tasks;
        try (Stream<Path> all = Files.list(Path.of("/proc/" + pid + "/task"))) {
            tasks = all.toList();
        }
        for (Path each : tasks) {
            try {
                String[] fields = Files.readString(each.resolve("schedstat")).split(" ", -1);
                String name = Files.readString(each.resolve("comm")).strip();
                threads.put(
                        each.getFileName().toString(), new Used(name, Long.parseLong(fields[0])));
            } catch (IOException e) {
                // The thread has ended since, perhaps while it was read.
            }
        }
        return new ProcessorTime(threads);
    }

    /** Nanoseconds by kind of thread: names without their numbers. */
    public Map<String, Long> since(ProcessorTime earlier) {
        Map<String, Long> kinds = new TreeMap<>();
        threads.forEach((id, thread) -> {
            Used before = earlier.threads.get(id);
            long nanos = thread.nanos - (before == null ? 0 : before.nanos);
            kinds.merge(thread.name.replaceAll("[^A-Za-z]+", " ").strip(), nanos, Long::sum);
        });
        return kinds;
    }

    public static boolean isWorker(String kind) {
        return kind.contains(WORKER);
    }
}
