package facet.host.ledger;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** How much memory this machine has. */
public final class MachineMemory {
    private static final long WHEN_UNKNOWN = 8L << 30;
    private static final long HUGE_PAGE = 2L << 20;
    private static final long ALL = read("MemTotal:", WHEN_UNKNOWN);

    /** A machine that has no more left than one part in so many needs it for what is under way. */
    private static final int SCARCE = 16;

    private MachineMemory() {}

    /** In bytes. */
    public static long all() {
        return ALL;
    }

    /** Half of it, in bytes. */
    public static long half() {
        return ALL / 2 / HUGE_PAGE * HUGE_PAGE;
    }

    /** Whether little of it is left for whoever comes. */
    public static boolean isScarce() {
        return read("MemAvailable:", ALL) < ALL / SCARCE;
    }

    /** Read from /proc: asking the JVM's beans would load hundreds of classes. */
    private static long read(String name, long whenUnknown) {
        try {
            for (String line : Files.readAllLines(Path.of("/proc/meminfo"))) {
                if (line.startsWith(name)) {
                    return Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024;
                }
            }
        } catch (IOException | NumberFormatException e) {
            return whenUnknown;
        }
        return whenUnknown;
    }
}
