package facet.bench.soak;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * What a process and its descendants take of the machine.
 *
 * @param residentKib resident memory of the daemon, in KiB
 * @param workersKib that of its workers, in KiB
 * @param heapKib of the Java heap, in use
 * @param codeKib of the JVM's classes and compiled code, in use
 * @param logBytes of its log, all files of it
 */
record Sample(
        long residentKib,
        long workersKib,
        long heapKib,
        long codeKib,
        long threads,
        long descriptors,
        long mappings,
        long logBytes,
        long collections,
        double collectionSeconds) {

    static Sample of(long pid, Path logs, Metrics metrics) throws IOException {
        Path process = Path.of("/proc/" + pid);
        return new Sample(
                status(process, "VmRSS:"),
                workers(pid),
                (long) metrics.sum("jvm_memory_used_bytes", "area=\"heap\"") >> 10,
                (long) metrics.sum("jvm_memory_used_bytes", "area=\"nonheap\"") >> 10,
                status(process, "Threads:"),
                count(process.resolve("fd")),
                Files.readAllLines(process.resolve("maps")).size(),
                bytes(logs),
                (long) metrics.sum("jvm_gc_collection_seconds_count", ""),
                metrics.sum("jvm_gc_collection_seconds_sum", ""));
    }

    private static long status(Path process, String field) throws IOException {
        for (String line : Files.readAllLines(process.resolve("status"))) {
            if (line.startsWith(field)) {
                return Long.parseLong(line.replaceAll("\\D", ""));
            }
        }
        throw new IOException(process + " does not tell " + field);
    }

    private static long workers(long pid) throws IOException {
        long sum = 0;
        for (ProcessHandle each :
                ProcessHandle.of(pid).stream().flatMap(ProcessHandle::descendants).toList()) {
            Path process = Path.of("/proc/" + each.pid());
            if (Files.exists(process)) {
                sum += status(process, "VmRSS:");
            }
        }
        return sum;
    }

    private static long count(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.count();
        }
    }

    private static long bytes(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            List<Path> logs =
                    files.filter(each -> each.getFileName().toString().startsWith("facetd.log"))
                            .toList();
            long sum = 0;
            for (Path each : logs) {
                sum += Files.size(each);
            }
            return sum;
        }
    }
}
