package facet.bench.direct;

import facet.bench.Places;
import facet.bench.PrivateDaemon;
import facet.bench.isolation.Control;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A daemon, and programs of its slices on the device that only takes time. */
final class Clock implements AutoCloseable {
    private static final Path LOAD = Places.inRepository("native/target/bench/load");
    private static final Path VENDOR = Places.inRepository("native/target/clock");
    private static final Path DIRECT = Places.inRepository("native/target/direct");

    private final PrivateDaemon daemon = new PrivateDaemon();
    private final Path libraries;
    private final String uuid;

    Clock(String... options) throws IOException, InterruptedException {
        daemon.up(options);
        // In a folder of their own: calls that pass have a library made for this driver.
        libraries = Files.createDirectory(daemon.directory().resolve("direct"));
        Files.copy(DIRECT.resolve("libcuda.so.1"), libraries.resolve("libcuda.so.1"));
        daemon.run(
                Places.inRepository("native/target/bin/facet-stubs").toString(),
                VENDOR.resolve("libcuda.so.1").toString(),
                libraries.resolve("libfacet-unruled.so.1").toString());
        uuid = uuid(daemon.run(PrivateDaemon.FACET.toString(), "devices", "-o", "json"));
    }

    private static String uuid(List<String> lines) throws IOException {
        for (String line : lines) {
            if (line.contains("\"uuid\"")) {
                String text = line.substring(line.indexOf("GPU-") + 4);
                return text.substring(0, text.indexOf('"')).replace("-", "");
            }
        }
        throw new IOException("the daemon does not tell its device");
    }

    void create(String slice, String... terms) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(List.of(terms));
        all.addAll(List.of("--engine", "direct"));
        facet("create", slice, all.toArray(String[]::new));
    }

    void set(String slice, String... terms) throws IOException, InterruptedException {
        facet("set", slice, terms);
    }

    void delete(String slice) throws IOException, InterruptedException {
        facet("delete", slice);
    }

    /** For what is to be said without a process that starts first. */
    Control control() throws IOException {
        return new Control(daemon.directory());
    }

    private void facet(String verb, String slice, String... more)
            throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of(PrivateDaemon.FACET.toString(), "slice", verb, slice));
        command.addAll(List.of(more));
        daemon.run(command.toArray(String[]::new));
    }

    /** With the direct engine before the driver. */
    Running start(String slice, String... words) throws IOException {
        Path socket = daemon.directory().resolve("slices").resolve(slice).resolve("socket");
        return start(
                libraries,
                Map.of(
                        "FACET_DIRECT_SOCKET",
                        socket.toString(),
                        "FACET_VENDOR_LIBRARIES",
                        VENDOR.toString()),
                words);
    }

    /** With the driver alone. */
    Running startOnVendor(String... words) throws IOException {
        return start(VENDOR, Map.of(), words);
    }

    private Running start(Path folder, Map<String, String> more, String... words)
            throws IOException {
        List<String> command = new ArrayList<>(List.of(LOAD.toString()));
        command.addAll(List.of(words));
        ProcessBuilder builder = new ProcessBuilder(command);
        Map<String, String> environment = builder.environment();
        environment.put("LD_LIBRARY_PATH", folder.toString());
        environment.put("FACET_CLOCK_DEVICE", daemon.directory().resolve("clock").toString());
        environment.put("FACET_CLOCK_UUID", uuid);
        environment.putAll(more);
        Path output = Files.createTempFile(daemon.directory(), "load", ".txt");
        builder.redirectOutput(output.toFile()).redirectError(ProcessBuilder.Redirect.INHERIT);
        return new Running(builder.start(), output);
    }

    /** A program, and what it prints. */
    record Running(Process process, Path output) {
        List<String> lines() throws IOException, InterruptedException {
            if (process.waitFor() != 0) {
                throw new IOException("a program of the benchmark ended with an error");
            }
            return Files.readString(output, StandardCharsets.UTF_8).lines().toList();
        }
    }

    @Override
    public void close() throws IOException {
        daemon.close();
    }
}
