package facet.node.container;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * One life of a process. Numbers of processes are used again; with the time of the start, and the
 * boot that it is counted from, it is clear whose one is.
 *
 * @param start in clock ticks since the machine was booted
 * @param boot names the boot
 */
record Incarnation(int pid, long start, String boot) {
    private static final Path PROC = Path.of("/proc");

    /** proc_pid_stat(5): the start time is field 22; the state behind the name is field 3. */
    private static final int START_BEHIND_NAME = 22 - 3;

    /** Empty when there is no such process. */
    static Optional<Incarnation> of(int pid) {
        try {
            String stat = Files.readString(PROC.resolve(Integer.toString(pid)).resolve("stat"));
            // The name is in parentheses and may have blanks and parentheses itself.
            String[] fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", -1);
            String boot = Files.readString(PROC.resolve("sys/kernel/random/boot_id")).strip();
            return Optional.of(
                    new Incarnation(pid, Long.parseLong(fields[START_BEHIND_NAME]), boot));
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
