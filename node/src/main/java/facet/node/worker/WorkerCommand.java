package facet.node.worker;

import facet.node.log.Format;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How to start a worker.
 *
 * @param java the JVM with its options and class path
 * @param log file for log lines, or empty: the error output of this process
 */
public record WorkerCommand(List<String> java, Optional<Path> log, boolean debug, Format format) {

    /** The same JVM as this one, which was started with this main class. */
    public static WorkerCommand likeThis(
            String main, Optional<Path> log, boolean debug, Format format) throws IOException {
        String[] words = Files.readString(Path.of("/proc/self/cmdline")).split("\0", -1);
        List<String> java = new ArrayList<>();
        java.add(Path.of("/proc/self/exe").toRealPath().toString());
        for (int i = 1; i < words.length; i++) {
            if (words[i].equals(main)) {
                return new WorkerCommand(java, log, debug, format);
            }
            java.add(words[i]);
        }
        throw new IOException("this JVM was not started with the main class " + main);
    }

    Process start(Path socket) throws IOException {
        List<String> all = new ArrayList<>(java);
        all.add(Worker.class.getName());
        all.add(socket.toString());
        all.add(format.text());
        if (debug) {
            all.add("--debug");
        }
        ProcessBuilder builder = new ProcessBuilder(all);
        builder.redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
        builder.redirectOutput(ProcessBuilder.Redirect.DISCARD);
        builder.redirectError(
                log.map(file -> ProcessBuilder.Redirect.appendTo(file.toFile()))
                        .orElse(ProcessBuilder.Redirect.INHERIT));
        return builder.start();
    }
}
