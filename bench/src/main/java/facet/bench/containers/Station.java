package facet.bench.containers;

import facet.bench.Places;
import facet.bench.PrivateDaemon;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A daemon, and what containers are made of; all in the daemon's folder, and gone with it. */
final class Station implements AutoCloseable {
    static final String RUNC = "runc";
    static final String WRAPPER = Places.inRepository("native/target/bin/facet-runtime").toString();

    private final PrivateDaemon daemon = new PrivateDaemon();
    private final Path root;
    private int bundles;

    Station() throws IOException, InterruptedException {
        root = daemon.directory().resolve("root");
        try {
            daemon.up();
            RootFilesystem.make(root);
        } catch (IOException | InterruptedException | RuntimeException e) {
            daemon.close();
            throw e;
        }
    }

    /** Why there can be no containers on this machine; empty when there can. */
    static String hindrance() throws IOException, InterruptedException {
        if (!System.getProperty("user.name", "").equals("root")) {
            return "containers need root; run this with sudo";
        }
        try {
            new ProcessBuilder(RUNC, "--version")
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException e) {
            return "runc is missing (Debian package runc)";
        }
        return "";
    }

    Path directory() {
        return daemon.directory();
    }

    Bundle bundle(List<String> command, String... wishes) throws IOException {
        Path folder = daemon.directory().resolve("bundle-" + bundles++);
        return new Bundle(folder, root, command, List.of(wishes));
    }

    /** Runs a container; runc's own records are here and not in the machine's folder. */
    ProcessBuilder command(String runtime, Bundle bundle, String id) {
        ProcessBuilder builder =
                new ProcessBuilder(
                        runtime,
                        "--root",
                        daemon.directory().resolve("runc").toString(),
                        "run",
                        "--bundle",
                        bundle.folder().toString(),
                        id);
        builder.environment().put("FACET_RUNTIME_DIR", daemon.directory().toString());
        builder.environment().remove("FACET_RUNTIME");
        return builder;
    }

    /** Runs a container to its end. */
    void run(String runtime, Bundle bundle, String id) throws IOException, InterruptedException {
        Path errors = Files.createTempFile(daemon.directory(), "errors", ".txt");
        int status =
                command(runtime, bundle, id)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .redirectError(errors.toFile())
                        .start()
                        .waitFor();
        String said = Files.readString(errors, StandardCharsets.UTF_8);
        Files.delete(errors);
        if (status != 0) {
            throw new IOException("a container ended with status " + status + ": " + said);
        }
    }

    @Override
    public void close() throws IOException {
        daemon.close();
    }
}
