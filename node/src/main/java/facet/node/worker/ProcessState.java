package facet.node.worker;

import facet.os.ProcessorTimeUnsafe;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What a process does, as the system tells it.
 *
 * @param processor nanoseconds of processors that it has had
 * @param ready whether one of its threads runs, or waits for a processor or a disk
 */
record ProcessState(long processor, boolean ready) {
    static ProcessState of(int pid) {
        return new ProcessState(ProcessorTimeUnsafe.of(pid).orElse(0), isReady(pid));
    }

    private static boolean isReady(int pid) {
        Path folder = Path.of("/proc", Integer.toString(pid), "task");
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(folder)) {
            for (Path each : threads) {
                String line = Files.readString(each.resolve("stat"));
                // number (name) state …; a name may have anything in it.
                char state = line.charAt(line.lastIndexOf(')') + 2);
                if (state == 'R' || state == 'D') {
                    return true;
                }
            }
            return false;
        } catch (IOException e) {
            return true; // a thread has just ended, so something happens; or all have
        }
    }
}
