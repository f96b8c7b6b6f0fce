package facet.system.tests;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The ways that an engine does not hold on a vendor's driver, and why.
 *
 * @param all by engine and way
 */
record UnheldWays(Map<String, Unheld> all) {
    /**
     * @param always otherwise it is held at times, and neither is wrong
     */
    record Unheld(boolean always, String reason) {}

    private static final Path TABLE = Places.ROOT.resolve("bench/escape/engines.table");

    static UnheldWays read() throws IOException {
        Map<String, Unheld> all = new HashMap<>();
        for (String line : lines()) {
            String[] words = line.split("\\s+", 4);
            if (words.length < 4 || !words[2].matches("always|sometimes")) {
                throw new IOException("engine, way, always or sometimes, why; not '" + line + "'");
            }
            all.put(words[0] + " " + words[1], new Unheld(words[2].equals("always"), words[3]));
        }
        return new UnheldWays(all);
    }

    private static List<String> lines() throws IOException {
        return Files.readAllLines(TABLE).stream()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .toList();
    }

    /** Empty: it holds. A line may name all ways of a kind: {@code endless-*}. */
    Optional<Unheld> of(String engine, String way) {
        Unheld exactly = all.get(engine + " " + way);
        String kind = way.replaceFirst("-.*", "-*");
        return Optional.ofNullable(exactly == null ? all.get(engine + " " + kind) : exactly);
    }
}
