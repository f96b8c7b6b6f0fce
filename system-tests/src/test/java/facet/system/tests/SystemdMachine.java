package facet.system.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A machine with a systemd of its own and the files of this one; {@code packaging/scratch-systemd}
 * makes it.
 */
final class SystemdMachine implements AutoCloseable {
    private static final String SCRIPT =
            Places.ROOT.resolve("packaging/scratch-systemd").toString();
    private static final int SECONDS = 120;

    private final Path folder;
    private final Process process;

    private SystemdMachine(Path folder, Process process) {
        this.folder = folder;
        this.process = process;
    }

    static SystemdMachine boot(Path folder) throws IOException, InterruptedException {
        Path log = Files.createDirectories(folder).resolve("log");
        Process process =
                new ProcessBuilder(SCRIPT, "boot", folder.toString())
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start();
        SystemdMachine machine = new SystemdMachine(folder, process);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        while (machine.run("true").status() != 0) {
            if (!process.isAlive() || System.nanoTime() > end) {
                machine.close();
                throw new IOException("systemd does not start: " + Files.readString(log));
            }
            Thread.sleep(50);
        }
        return machine;
    }

    /** Brings a file there; its name on the machine. */
    String bring(Path file) throws IOException {
        Path name = file.getFileName();
        Files.copy(
                file, folder.resolve("shared").resolve(name), StandardCopyOption.COPY_ATTRIBUTES);
        return "/mnt/" + name;
    }

    /** Runs a command on it, whatever comes of it. */
    Outcome run(String... words) {
        List<String> command = new ArrayList<>(List.of(SCRIPT, "run", folder.toString()));
        command.addAll(List.of(words));
        return Runner.run(command, Places.MODULE, Map.of(), SECONDS);
    }

    /** Runs a command on it that must go well; what it printed. */
    String output(String... words) {
        Outcome outcome = run(words);
        assertEquals(0, outcome.status(), outcome.report());
        return outcome.output().strip();
    }

    @Override
    public void close() {
        process.destroy();
        process.onExit().completeOnTimeout(process, SECONDS, TimeUnit.SECONDS).join();
        process.destroyForcibly();
    }
}
