package facet.node.worker;

import facet.log.Format;
import facet.log.Log;
import facet.node.confine.Confinement;
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
 * @param main its main class
 * @param log file for log lines, or empty: the error output of this process
 * @param confinement empty: a worker may do what the daemon may
 */
public record WorkerCommand(
        List<String> java,
        String main,
        Optional<Path> log,
        boolean debug,
        Format format,
        Optional<Confinement> confinement) {

    /**
     * The same JVM as this one, which was started with the main class of a daemon. Of the files of
     * options one named daemon.options is for the daemon, the one beside it named worker.options
     * for workers.
     *
     * @param more options for the JVM
     */
    public static WorkerCommand likeThis(
            Class<?> daemon,
            Class<?> worker,
            List<String> more,
            Optional<Path> log,
            boolean debug,
            Format format,
            Optional<Confinement> confinement)
            throws IOException {
        String[] words = Files.readString(Path.of("/proc/self/cmdline")).split("\0", -1);
        List<String> java = new ArrayList<>();
        java.add(Path.of("/proc/self/exe").toRealPath().toString());
        for (int i = 1; i < words.length; i++) {
            if (words[i].equals(daemon.getName())) {
                java.addAll(more);
                return new WorkerCommand(java, worker.getName(), log, debug, format, confinement);
            }
            java.add(words[i].replaceFirst("^(@.*/)daemon\\.options$", "$1worker.options"));
        }
        throw new IOException("this JVM was not started with the main class " + daemon.getName());
    }

    Process start(Path socket) throws IOException {
        ProcessBuilder builder = new ProcessBuilder();
        builder.redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
        builder.redirectOutput(ProcessBuilder.Redirect.DISCARD);
        builder.redirectError(
                log.map(file -> ProcessBuilder.Redirect.appendTo(file.toFile()))
                        .orElse(ProcessBuilder.Redirect.INHERIT));
        List<String> arguments = new ArrayList<>(List.of(format.text()));
        if (debug) {
            arguments.add("--debug");
        }
        if (confinement.isPresent()) {
            return confinement.get().start(builder, socket, java, main, arguments);
        }
        List<String> all = new ArrayList<>(java);
        all.add(main);
        all.add(socket.toString());
        all.addAll(arguments);
        return builder.command(all).start();
    }

    /**
     * @param bytes of device memory that it may have
     */
    void limit(Process process, long bytes) throws IOException {
        if (confinement.isPresent()) {
            confinement.get().limit(process, bytes);
        }
    }

    /** A worker is ready, and has told which pieces of its confinement it lacks. */
    void confined(String lacks, Log log) {
        confinement.ifPresent(each -> each.noted(lacks, log));
    }

    /** How workers are confined, in words. */
    public String isolation() {
        return confinement.map(Confinement::text).orElse("workers are not confined");
    }
}
