package facet.system.tests;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * What a process has of the system.
 *
 * @param descriptors open ones
 * @param memories mappings of shared memory; those of the JVM's own come and go
 * @param resident bytes
 */
record Census(long descriptors, long threads, long memories, long resident) {
    /** Workers that are kept for later; the JVM's compilers, carriers of virtual threads. */
    private static final int MORE_THREADS = 80;

    static Census of(long process) throws IOException {
        Path proc = Path.of("/proc/" + process);
        long descriptors;
        try (Stream<Path> files = Files.list(proc.resolve("fd"))) {
            descriptors = files.count();
        }
        long memories;
        try (Stream<String> lines = Files.lines(proc.resolve("maps"))) {
            memories = lines.filter(line -> line.contains("memfd:")).count();
        }
        long threads = 0;
        long resident = 0;
        for (String line : Files.readAllLines(proc.resolve("status"))) {
            String[] words = line.split("\\s+", -1);
            if (words[0].equals("Threads:")) {
                threads = Long.parseLong(words[1]);
            } else if (words[0].equals("VmRSS:")) {
                resident = Long.parseLong(words[1]) << 10;
            }
        }
        return new Census(descriptors, threads, memories, resident);
    }

    /** Whether there is no more than before, but for what comes and goes. */
    boolean isLike(Census before) {
        return descriptors <= before.descriptors + 4
                && threads <= before.threads + MORE_THREADS
                && memories <= before.memories + 4;
    }
}
