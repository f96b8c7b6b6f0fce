package facet.device.nvidia;

import facet.device.nvidia.foreign.EnvironmentUnsafe;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Where the vendor's libraries are, and what they are told by their environment.
 *
 * @param libraries a folder; empty: as the system's loader finds them
 */
public record VendorSettings(Optional<Path> libraries, Map<String, String> environment) {
    private static final String LIBRARIES = "facet.vendor.libraries";
    private static final String ENVIRONMENT = "facet.vendor.environment";

    /** Seconds. */
    private static final String PATIENCE = "FACET_DRIVER_PATIENCE";

    private static final long USUAL_PATIENCE = 30;

    public VendorSettings {
        environment = Map.copyOf(environment);
    }

    /** As a process was told that was started {@link #asOptions with them}. */
    public static VendorSettings ofThisProcess() {
        return new VendorSettings(
                Optional.ofNullable(System.getProperty(LIBRARIES)).map(Path::of),
                environment(System.getProperty(ENVIRONMENT, "")));
    }

    /**
     * @param text NAME=VALUE,NAME=VALUE
     * @throws IllegalArgumentException when it is something else
     */
    public static Map<String, String> environment(String text) {
        Map<String, String> all = new LinkedHashMap<>();
        for (String each : text.isEmpty() ? new String[0] : text.split(",", -1)) {
            int equals = each.indexOf('=');
            if (equals <= 0) {
                throw new IllegalArgumentException("NAME=VALUE,NAME=VALUE, not '" + each + "'");
            }
            all.put(each.substring(0, equals), each.substring(equals + 1));
        }
        if (!all.getOrDefault(PATIENCE, "1").matches("[1-9][0-9]{0,5}")) {
            throw new IllegalArgumentException(
                    PATIENCE + " is a number of seconds, not '" + all.get(PATIENCE) + "'");
        }
        return all;
    }

    /** How long a driver may take to answer a call before it is given up. */
    Duration patience() {
        String said = environment.get(PATIENCE);
        return Duration.ofSeconds(said == null ? USUAL_PATIENCE : Long.parseLong(said));
    }

    /** For the JVM of a worker. */
    public List<String> asOptions() {
        List<String> options = new ArrayList<>();
        libraries.ifPresent(each -> options.add("-D" + LIBRARIES + "=" + each));
        if (!environment.isEmpty()) {
            List<String> pairs = new ArrayList<>();
            environment.forEach((name, value) -> pairs.add(name + "=" + value));
            options.add("-D" + ENVIRONMENT + "=" + String.join(",", pairs));
        }
        return options;
    }

    /** Before the first library is loaded. */
    void apply() {
        environment.forEach(EnvironmentUnsafe::set);
    }
}
