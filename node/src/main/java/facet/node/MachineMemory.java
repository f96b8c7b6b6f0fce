package facet.node;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** How much memory this machine has. */
final class MachineMemory {
    private static final long WHEN_UNKNOWN = 4L << 30;
    private static final long HUGE_PAGE = 2L << 20;

    private MachineMemory() {}

    /**
     * Half of it, in bytes. Read from /proc: asking the JVM's beans would load hundreds of classes.
     */
    static long half() {
        try {
            for (String line : Files.readAllLines(Path.of("/proc/meminfo"))) {
                if (line.startsWith("MemTotal:")) {
                    long kilobytes = Long.parseLong(line.replaceAll("[^0-9]", ""));
                    return kilobytes * 1024 / 2 / HUGE_PAGE * HUGE_PAGE;
                }
            }
        } catch (IOException | NumberFormatException e) {
            return WHEN_UNKNOWN;
        }
        return WHEN_UNKNOWN;
    }
}
