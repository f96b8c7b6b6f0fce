package facet.bench.escape;

import facet.bench.isolation.ProcessorTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * What the processes that execute a slice have of the machine.
 *
 * @param threads that they have
 * @param times what these had of processors, by process
 */
record Running(long threads, Map<Long, ProcessorTime> times) {
    private static final String OURS = "facet";

    static Running of(Node node) throws IOException {
        long threads = 0;
        Map<Long, ProcessorTime> times = new HashMap<>();
        for (long process : node.processes()) {
            try {
                for (String line : Files.readAllLines(Path.of("/proc/" + process + "/status"))) {
                    String[] words = line.split("\\s+", -1);
                    threads += words[0].equals("Threads:") ? Long.parseLong(words[1]) : 0;
                }
                times.put(process, ProcessorTime.of(process));
            } catch (NoSuchFileException e) {
                // It has ended since.
            }
        }
        return new Running(threads, times);
    }

    /**
     * Nanoseconds of processors that threads of Facet had since. The JVM's own are left out: what
     * its compilers do for our code is done once, for all.
     */
    long nanosSince(Running earlier) {
        long sum = 0;
        for (Map.Entry<Long, ProcessorTime> each : times.entrySet()) {
            ProcessorTime before = earlier.times.get(each.getKey());
            if (before != null) {
                sum +=
                        each.getValue().since(before).entrySet().stream()
                                .filter(kind -> kind.getKey().startsWith(OURS))
                                .mapToLong(Map.Entry::getValue)
                                .sum();
            }
        }
        return sum;
    }
}
