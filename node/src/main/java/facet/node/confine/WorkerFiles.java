package facet.node.confine;

import java.nio.file.Path;
import java.util.List;

/**
 * What workers see of the machine besides what their JVM needs.
 *
 * @param reads files and folders that they can read
 * @param devices that they can open for everything, and sockets that they can connect to
 */
public record WorkerFiles(List<Path> reads, List<Path> devices) {
    public static final WorkerFiles NONE = new WorkerFiles(List.of(), List.of());

    public WorkerFiles {
        reads = List.copyOf(reads);
        devices = List.copyOf(devices);
    }
}
