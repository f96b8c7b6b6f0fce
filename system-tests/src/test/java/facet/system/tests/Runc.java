package facet.system.tests;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Containers of real runc, with its state in a folder of its own. */
final class Runc implements AutoCloseable {
    private final Path folder;
    private final List<String> ids = new ArrayList<>();

    Runc(Path folder) {
        this.folder = folder;
    }

    private List<String> command(String... words) {
        List<String> command =
                new ArrayList<>(List.of("runc", "--root", folder.resolve("runc").toString()));
        command.addAll(List.of(words));
        return command;
    }

    private Path write(String id, Bundle bundle) throws IOException {
        Path place = folder.resolve("bundle-" + id);
        bundle.write(place);
        ids.add(id);
        return place;
    }

    /** From its start to its end. */
    Outcome run(String id, Bundle bundle) throws IOException {
        Path place = write(id, bundle);
        return Runner.run(
                command("run", "--bundle", place.toString(), id), Places.MODULE, Map.of());
    }

    /** The same by facet-runtime, which adds the hook where it is wanted. */
    Outcome wrapped(String id, Bundle bundle, Path runtime) throws IOException {
        Path place = write(id, bundle);
        List<String> command = command("run", "--bundle", place.toString(), id);
        command.set(0, Places.NATIVE.resolve("target/bin/facet-runtime").toString());
        return Runner.run(command, Places.MODULE, Map.of("FACET_RUNTIME_DIR", runtime.toString()));
    }

    /** Starts it; what it writes and reads is that of the process. */
    Process start(String id, Bundle bundle) throws IOException {
        Path place = write(id, bundle);
        return Runner.start(
                command("run", "--bundle", place.toString(), id), Places.MODULE, Map.of());
    }

    /** Another program in a container that runs. */
    Outcome exec(String id, String... words) {
        List<String> command = command("exec", id);
        command.addAll(List.of(words));
        return Runner.run(command, Places.MODULE, Map.of());
    }

    /** The container's first process, as this machine numbers it. */
    long init(String id) throws IOException {
        Outcome state = Runner.run(command("state", id), Places.MODULE, Map.of());
        if (!state.ok()) {
            throw new IOException(state.report());
        }
        return new ObjectMapper().readTree(state.output()).path("pid").asLong();
    }

    /** Kills the container's first process as the system does when memory is short. */
    void kill(String id) throws IOException {
        ProcessHandle.of(init(id)).orElseThrow().destroyForcibly();
    }

    /** Waits for the one who watches the container, so that its hooks have run. */
    static void awaitEnd(Process process) throws InterruptedException {
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
            throw new IllegalStateException("runc does not end");
        }
    }

    @Override
    public void close() throws IOException {
        for (String each : ids) {
            Runner.run(command("delete", "--force", each), Places.MODULE, Map.of());
        }
        Files.deleteIfExists(folder.resolve("runc"));
    }
}
