package facet.system.tests;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A daemon in a process of its own, with its sockets in a directory of its own. */
final class Daemon implements AutoCloseable {
    private static final long START_SECONDS = 60;

    private final Path directory;
    private final Path log;
    private final String memory;
    private final List<String> options;

    /** What starts it, before its own command. */
    private final List<String> prefix;

    private Process process;

    private Daemon(
            Path directory, Path log, String memory, List<String> options, List<String> prefix)
            throws IOException, InterruptedException {
        this.directory = directory;
        this.log = log;
        this.memory = memory;
        this.options = options;
        this.prefix = prefix;
        this.process = launch();
    }

    /** Of the default slice. */
    Path socket() {
        return directory.resolve("socket");
    }

    static Daemon start() throws IOException, InterruptedException {
        return start("2G");
    }

    /**
     * @param memory of its device, or of each of several: 512M,256M; empty: nothing is said of it
     */
    static Daemon start(String memory, String... options) throws IOException, InterruptedException {
        return startBy(List.of(), memory, options);
    }

    /**
     * @param prefix of its command
     */
    static Daemon startBy(List<String> prefix, String memory, String... options)
            throws IOException, InterruptedException {
        // Short: the path of a Unix socket has at most 107 characters.
        Path directory = Files.createTempDirectory("facet-test-");
        Files.createDirectories(Places.MODULE.resolve("target"));
        Path log = Files.createTempFile(Places.MODULE.resolve("target"), "facetd-", ".log");
        return new Daemon(directory, log, memory, List.of(options), prefix);
    }

    /**
     * One whose devices are behind a vendor's driver: Facet's own libraries, on the slice of
     * another daemon.
     *
     * @param socket of that slice
     */
    static Daemon startOnVendor(Path socket, String... options)
            throws IOException, InterruptedException {
        List<String> all = new ArrayList<>();
        all.addAll(List.of("--gpu", "vendor"));
        all.addAll(List.of("--vendor-libraries", Places.LIBRARIES.toString()));
        all.addAll(List.of("--vendor-environment", "FACET_SOCKET=" + socket));
        all.addAll(List.of(options));
        return start("", all.toArray(String[]::new));
    }

    private Process launch() throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(prefix);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        for (String file : List.of("jvm.options", "daemon.options")) {
            if (Files.exists(Places.ROOT.resolve(file))) {
                command.add("@" + Places.ROOT.resolve(file));
            }
        }
        command.add("-Dfacet.native=" + Places.ROOT.resolve("native/target"));
        // -Dfacetd.main=facet.system.tests.far.FarFacetd: with devices whose memory cannot be
        // mapped.
        String main = System.getProperty("facetd.main", "facet.node.Facetd");
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main));
        command.addAll(List.of("--runtime-dir", directory.toString(), "--debug"));
        if (!memory.isEmpty()) {
            command.addAll(List.of(memory.contains(",") ? "--devices" : "--memory", memory));
        }
        command.addAll(options);
        // -Dfacetd=--isolation=process tries the same programs with a process for each slice.
        String more = System.getProperty("facetd", "");
        command.addAll(more.isEmpty() ? List.of() : List.of(more.split(" ")));
        Process started =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                        .start();
        started.getOutputStream().close();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
        while (!Files.exists(directory.resolve("control"))) {
            if (!started.isAlive() || System.nanoTime() > end) {
                started.destroyForcibly();
                throw new IllegalStateException(
                        "the daemon did not start:\n" + Files.readString(log));
            }
            Thread.sleep(20);
        }
        return started;
    }

    /** As if the machine had run out of memory: nothing is cleaned up. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    void restart() throws IOException, InterruptedException {
        Files.deleteIfExists(directory.resolve("control"));
        process = launch();
    }

    Control control() throws IOException {
        return Control.open(directory.resolve("control"));
    }

    Path directory() {
        return directory;
    }

    long process() {
        return process.pid();
    }

    boolean alive() {
        return process.isAlive();
    }

    JsonNode sessions() throws IOException {
        try (Control control = control()) {
            return control.ask("sessions").path("sessions");
        }
    }

    /** How long its log is now; what follows belongs to what runs next. */
    long mark() throws IOException {
        return Files.size(log);
    }

    String logSince(long mark) throws IOException {
        byte[] all = Files.readAllBytes(log);
        return new String(
                all, (int) mark, all.length - (int) mark, java.nio.charset.StandardCharsets.UTF_8);
    }

    @Override
    public void close() throws IOException {
        process.destroy();
        try {
            if (!process.waitFor(60, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
