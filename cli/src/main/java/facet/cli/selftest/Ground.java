package facet.cli.selftest;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Where checks take place: a daemon, and programs in slices of it. */
public final class Ground {
    static final String ENGINE = "engine";
    static final String FORWARDED = "forwarded";
    static final String DIRECT = "direct";

    private static final String MEMORY = "64MiB";

    private final Path home;
    private final Supplier<Connection> daemon;
    private final long seconds;

    /**
     * @param home where programs and libraries were built, or are installed
     * @param seconds that programs compute beside each other
     */
    public Ground(Path home, Supplier<Connection> daemon, long seconds) {
        this.home = home;
        this.daemon = daemon;
        this.seconds = seconds;
    }

    /** A slice that goes with what is returned. */
    Slice slice(String name, Map<String, String> settings) {
        Connection connection = daemon.get();
        try {
            Map<String, String> wanted = new LinkedHashMap<>(settings);
            wanted.putIfAbsent("memory", MEMORY);
            wanted.putIfAbsent(ENGINE, FORWARDED);
            wanted.put("name", "selftest-" + name + "-" + ProcessHandle.current().pid());
            JsonNode made = connection.ask("run", wanted);
            return new Slice(
                    home,
                    connection,
                    made.path("slice").asText(),
                    made.path("socket").asText(),
                    DIRECT.equals(wanted.get(ENGINE)));
        } catch (RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    /** A program in a slice of its own, which has begun. */
    Program program(String name, Map<String, String> settings)
            throws IOException, InterruptedException {
        Slice slice = slice(name, settings);
        try {
            return slice.tenant(true);
        } catch (IOException | InterruptedException | RuntimeException e) {
            slice.close();
            throw e;
        }
    }

    /** Engines that programs can have here: the other one needs a vendor's driver. */
    List<String> engines() {
        try (Connection connection = daemon.get()) {
            for (JsonNode each : connection.ask("devices", Map.of()).path("devices")) {
                if (each.has("vendorUuid")) {
                    return List.of(FORWARDED, DIRECT);
                }
            }
        }
        return List.of(FORWARDED);
    }

    long seconds() {
        return seconds;
    }

    /** A moment from now, for programs that begin together. */
    static long soon() {
        return System.nanoTime() + 100_000_000;
    }

    static void waitUntil(long moment) throws InterruptedException {
        for (long nanos; (nanos = moment - System.nanoTime()) > 0; ) {
            TimeUnit.NANOSECONDS.sleep(nanos);
        }
    }
}
