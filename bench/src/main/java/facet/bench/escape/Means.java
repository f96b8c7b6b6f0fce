package facet.bench.escape;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * How programs of a slice come to its device: the engine, and whose driver is behind it.
 *
 * @param settings of a slice, with a space before them
 * @param seats pieces of work that the device does at once: seconds of its time in a second
 * @param speaks whether the daemon's own protocol is how these programs work, so that breaking it
 *     is a way
 * @param mirrors whether pinned memory has an image on the device, which counts
 * @param environment of a program, by the slice's socket
 */
public record Means(
        String settings,
        int seats,
        boolean speaks,
        boolean mirrors,
        Function<String, Map<String, String>> environment) {
    private static final String SOCKET = "FACET_SOCKET";

    /** All calls go to the daemon, and its device is the software GPU. */
    public static Means software() {
        return forwarded(Runtime.getRuntime().availableProcessors(), false);
    }

    /** All calls go to the daemon, and a vendor's driver is in the slice's worker. */
    public static Means vendor() {
        return forwarded(1, true);
    }

    private static Means forwarded(int seats, boolean mirrors) {
        return new Means(
                " engine=forwarded", seats, true, mirrors, socket -> Map.of(SOCKET, socket));
    }

    /**
     * The vendor's driver works in the program: Facet's own, on another daemon.
     *
     * @param root of the repository
     * @param written folder of the library for the calls that have no rule
     * @param driver socket of the slice that is the vendor's device
     */
    public static Means direct(Path root, Path written, Path driver) {
        Path own = root.resolve("native/target/direct");
        Path vendor = root.resolve("native/target/lib");
        String libraries =
                String.join(
                        ":",
                        written.toString(),
                        own.toString(),
                        own.resolve("management").toString(),
                        vendor.toString());
        return new Means(
                " engine=direct",
                1,
                false,
                false,
                socket -> {
                    Map<String, String> all = new HashMap<>();
                    all.put("LD_LIBRARY_PATH", libraries);
                    all.put("LD_PRELOAD", own.resolve("libfacet-direct.so").toString());
                    all.put("FACET_VENDOR_LIBRARIES", vendor.toString());
                    all.put("FACET_DIRECT_SOCKET", socket);
                    all.put(SOCKET, driver.toString());
                    return all;
                });
    }
}
