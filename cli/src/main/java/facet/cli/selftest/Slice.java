package facet.cli.selftest;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A slice of the daemon that is gone when this is closed, or when this process ends. */
final class Slice implements AutoCloseable {
    private final Path home;
    private final Connection connection;
    private final String name;
    private final String socket;
    private final boolean direct;

    /**
     * @param direct whether its programs have the vendor's driver in them
     */
    Slice(Path home, Connection connection, String name, String socket, boolean direct) {
        this.direct = direct;
        this.home = home;
        this.connection = connection;
        this.name = name;
        this.socket = socket;
    }

    /**
     * The program that does what it is told, when it has begun.
     *
     * @param owner whether the slice is closed with it
     */
    Program tenant(boolean owner) throws IOException, InterruptedException {
        Program program =
                new Program(this, owner, command("bench/tenant", path("bench/tenant.ptx")));
        try {
            program.answer();
            return program;
        } catch (IOException | InterruptedException e) {
            program.close();
            throw e;
        }
    }

    /** A file of the installation. */
    String path(String file) {
        return home.resolve(file).toString();
    }

    /** A program of the installation, with this slice for its device. */
    ProcessBuilder command(String program, String... arguments) throws IOException {
        Path file = home.resolve(program);
        if (!Files.isExecutable(file)) {
            throw new IOException(
                    file + " is missing. A C compiler builds it (Debian: gcc, libc6-dev)");
        }
        ProcessBuilder builder = new ProcessBuilder();
        if (direct) {
            // It finds the driver, and puts the engine before it.
            builder.command(path("bin/facet-run"), "--slice", name, "--");
            builder.environment().put("FACET_RUNTIME_DIR", runtime().toString());
        } else {
            builder.environment().put("LD_LIBRARY_PATH", home.resolve("lib").toString());
            builder.environment().put("FACET_SOCKET", socket);
        }
        builder.command().add(file.toString());
        builder.command().addAll(List.of(arguments));
        return builder;
    }

    /** The daemon's folder, in which slices/NAME/socket is. */
    private Path runtime() {
        return Path.of(socket).resolve("../../..").normalize();
    }

    /** Device time that it was charged for, in nanoseconds. */
    long deviceNanos() throws IOException {
        for (JsonNode each : connection.ask("slices", Map.of()).path("slices")) {
            if (each.path("name").asText().equals(name)) {
                return each.path("deviceNanos").asLong();
            }
        }
        throw new IOException("the daemon has lost the slice " + name);
    }

    @Override
    public void close() {
        connection.close();
    }
}
