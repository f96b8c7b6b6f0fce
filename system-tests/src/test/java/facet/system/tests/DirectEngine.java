package facet.system.tests;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The direct engine with Facet's own libraries in the place of a vendor's driver: a second daemon
 * is the hardware. Programs have the vendor's library in their process, connected to a slice of the
 * lower daemon, and the engine before it, connected to a slice of the upper one.
 */
final class DirectEngine implements AutoCloseable {
    /** Where the engine's libraries are. */
    static final Path LIBRARIES = Places.ROOT.resolve("native/target/direct");

    private static final Path STUBS = Places.ROOT.resolve("native/target/bin/facet-stubs");

    private final Daemon lower;
    private final Daemon upper;
    private final Path written;

    private DirectEngine(Daemon lower, Daemon upper, Path written) {
        this.lower = lower;
        this.upper = upper;
        this.written = written;
    }

    /**
     * @param memory of both devices: they have the same UUIDs on one machine
     */
    static DirectEngine start(String memory, String... options)
            throws IOException, InterruptedException {
        Path written = Files.createTempDirectory("facet-direct-");
        write(Places.library("libcuda.so.1"), written);
        write(
                Places.library("libnvidia-ml.so.1"),
                written.resolve("libfacet-management.so.1"),
                written);
        Daemon lower = Daemon.start(memory, "--http", "off");
        try {
            String[] all = new String[options.length + 2];
            all[0] = "--http";
            all[1] = "off";
            System.arraycopy(options, 0, all, 2, options.length);
            return new DirectEngine(lower, Daemon.start(memory, all), written);
        } catch (IOException | InterruptedException | RuntimeException e) {
            lower.close();
            throw e;
        }
    }

    /** The library for what a vendor's file has without a rule. */
    static void write(Path vendor, Path folder) {
        write(vendor, folder.resolve("libfacet-unruled.so.1"), folder);
    }

    static void write(Path vendor, Path library, Path folder) {
        Outcome outcome =
                Runner.run(
                        List.of(STUBS.toString(), vendor.toString(), library.toString()),
                        folder,
                        Map.of());
        assertTrue(outcome.ok(), outcome.report());
    }

    Daemon upper() {
        return upper;
    }

    Daemon lower() {
        return lower;
    }

    /**
     * @param socket of the upper slice
     * @param preload whether the program has a runtime inside, which Facet's driver needs replaced
     */
    Map<String, String> environment(String socket, boolean preload) {
        return environment(written, Places.LIBRARIES, lower.socket().toString(), socket, preload);
    }

    /**
     * @param written where the library for calls without a rule is
     * @param vendor folder of the vendor's libraries
     */
    static Map<String, String> environment(
            Path written, Path vendor, String lower, String upper, boolean preload) {
        Map<String, String> environment = new HashMap<>();
        environment.put(
                "LD_LIBRARY_PATH",
                String.join(
                        ":",
                        written.toString(),
                        LIBRARIES.toString(),
                        LIBRARIES.resolve("management").toString(),
                        Places.LIBRARIES.toString()));
        environment.put("FACET_SOCKET", lower);
        environment.put("FACET_DIRECT_SOCKET", upper);
        environment.put("FACET_VENDOR_LIBRARIES", vendor.toString());
        if (preload) {
            environment.put("LD_PRELOAD", Places.library("libfacet-preload.so").toString());
        }
        return environment;
    }

    @Override
    public void close() throws IOException {
        try (lower) {
            upper.close();
        }
        Files.deleteIfExists(written.resolve("libfacet-unruled.so.1"));
        Files.deleteIfExists(written.resolve("libfacet-management.so.1"));
        Files.deleteIfExists(written);
    }
}
