package facet.os;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What a process does, as the system tells it.
 *
 * @param processor nanoseconds of processors that it has had; 0 when it has ended
 * @param ready whether one of its threads runs, or waits for a processor or a disk
 */
public record ProcessState(long processor, boolean ready) {
    /** Reads a file for each of its threads. */
    public static ProcessState of(int pid) {
        return new ProcessState(ProcessorTimeUnsafe.of(pid).orElse(0), isReady(pid));
    }

    private static boolean isReady(int pid) {
        Path folder = Path.of("/proc", Integer.toString(pid), "task");
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(folder)) {
            for (Path each : threads) {
                if (isThreadReady(each)) {
                    return true;
                }
            }
            return false;
        } catch (IOException e) {
            return false; // it has ended
        }
    }

    private static boolean isThreadReady(Path thread) {
        try {
            String line = Files.readString(thread.resolve("stat"));
            // number (name) state …; a name may have anything in it.
            char state = line.charAt(line.lastIndexOf(')') + 2);
            return state == 'R' || state == 'D';
        } catch (IOException e) {
            return true; // it has just ended, so something happens
        }
    }
}
