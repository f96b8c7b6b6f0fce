package facet.bench.browser;

import facet.bench.Places;
import facet.bench.PrivateDaemon;
import facet.bench.isolation.Control;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A daemon with slices and real programs in them, for a browser to look at. */
public final class Scene implements AutoCloseable {
    private static final Path PROGRAMS = Places.inRepository("native/target");
    private static final Path SPIN = Places.inRepository("bench/isolation/tenant.ptx");

    private final PrivateDaemon daemon;
    private final List<Process> processes = new ArrayList<>();

    /**
     * @param options of the daemon
     */
    public Scene(String... options) throws IOException, InterruptedException {
        daemon = new PrivateDaemon();
        try {
            daemon.up(options);
        } catch (IOException | InterruptedException | RuntimeException e) {
            daemon.close();
            throw e;
        }
    }

    public PrivateDaemon daemon() {
        return daemon;
    }

    /** Where the page is. */
    public String url() throws IOException, InterruptedException {
        for (String line :
                daemon.run(Places.inRepository("facet").toString(), "status", "-o", "json")) {
            if (line.contains("\"http\"")) {
                return line.replaceAll(".*\"(https?://[^\"]*)\".*", "$1") + "/";
            }
        }
        throw new IOException("the daemon does not tell where it listens");
    }

    /** Slices as a document of {@code facet apply} has them. */
    public void slices(String document) throws IOException, InterruptedException {
        Path file = Files.createTempFile(daemon.directory(), "slices", ".yaml");
        Files.writeString(file, document);
        daemon.run(Places.inRepository("facet").toString(), "apply", "-f", file.toString());
    }

    /**
     * A slice for a container, as the hook asks for one. It lives as long as this process.
     *
     * @param wishes as {@code FACET_MEMORY=1GiB}, of the container's environment
     */
    public String container(String id, String... wishes) throws IOException {
        String config = "{\"process\":{\"env\":[\"" + String.join("\",\"", wishes) + "\"]}}";
        try (Control control = new Control(daemon.directory())) {
            return control.ask(
                            "container-create",
                            Map.of(
                                    "id",
                                    id,
                                    "pid",
                                    Long.toString(ProcessHandle.current().pid()),
                                    "config",
                                    config))
                    .path("slice")
                    .asText();
        }
    }

    /** A program whose work and memory rise and fall; returns when it runs. */
    public void tide(String slice, int mebibytes, double period, double phase) throws IOException {
        tide(slice, mebibytes, period, phase, 0);
    }

    /**
     * @param rest seconds between a tenth of a second and the next
     */
    public void tide(String slice, int mebibytes, double period, double phase, double rest)
            throws IOException {
        Process process =
                start(
                        slice,
                        PROGRAMS.resolve("bench/tide"),
                        SPIN.toString(),
                        Integer.toString(mebibytes),
                        Double.toString(period),
                        Double.toString(phase),
                        Double.toString(rest));
        BufferedReader reader = process.inputReader(StandardCharsets.UTF_8);
        if (!"runs".equals(reader.readLine())) {
            throw new IOException("the program in " + slice + " does not run");
        }
    }

    /** A program that does what it may not, and ends. */
    public void intruder(String slice) throws IOException, InterruptedException {
        start(
                        slice,
                        PROGRAMS.resolve("demo/intruder"),
                        PROGRAMS.resolve("demo/kernels.ptx").toString())
                .waitFor();
    }

    private Process start(String slice, Path program, String... arguments) throws IOException {
        if (!Files.isExecutable(program)) {
            throw new IOException(
                    program + " is missing. A C compiler builds it (Debian: gcc, libc6-dev)");
        }
        List<String> command = new ArrayList<>(List.of(program.toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        Path socket = daemon.directory().resolve("slices").resolve(slice).resolve("socket");
        builder.environment().put("FACET_SOCKET", socket.toString());
        Process process = builder.start();
        processes.add(process);
        return process;
    }

    /** Ends all programs; the slices stay. */
    public void leave() throws IOException, InterruptedException {
        for (Process each : processes) {
            each.destroyForcibly();
        }
        for (Process each : processes) {
            each.waitFor();
        }
        processes.clear();
    }

    @Override
    public void close() throws IOException {
        processes.forEach(Process::destroyForcibly);
        daemon.close();
    }
}
