package facet.node.worker;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** How much memory a process has, as the system tells it. */
final class ProcessMemory {
    private static final long PAGE = 4096;

    private ProcessMemory() {}

    /** Bytes that are its own and not of a file that others map too; 0 when it has ended. */
    static long ofItsOwn(long pid) {
        try {
            // size resident shared …, in pages
            String[] words =
                    Files.readString(Path.of("/proc", Long.toString(pid), "statm")).split(" ", -1);
            return (Long.parseLong(words[1]) - Long.parseLong(words[2])) * PAGE;
        } catch (IOException e) {
            return 0;
        }
    }
}
