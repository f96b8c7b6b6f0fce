package facet.place;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The parts into which hardware can divide devices: {@code parts.table} has a line for each. */
public final class Parts {
    private static final Map<String, List<Part>> DIVISIONS = read();

    private Parts() {}

    private static Map<String, List<Part>> read() {
        Map<String, List<Part>> all = new LinkedHashMap<>();
        try (InputStream file = Parts.class.getResourceAsStream("parts.table")) {
            if (file == null) {
                throw new IllegalStateException("parts.table is missing");
            }
            for (String line :
                    new String(file.readAllBytes(), StandardCharsets.UTF_8).split("\n", -1)) {
                if (line.isBlank() || line.startsWith("#")) {
                    continue;
                }
                String[] word = line.strip().split("\\s+", -1);
                int starts = 0;
                for (String each : word[4].split(",", -1)) {
                    starts |= 1 << Integer.parseInt(each);
                }
                Part part =
                        new Part(
                                word[1],
                                word[0],
                                Integer.parseInt(word[2]),
                                Integer.parseInt(word[3]),
                                starts,
                                Part.ANYWHERE);
                all.computeIfAbsent(word[0], name -> new ArrayList<>()).add(part);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return all;
    }

    /** The ways of dividing that are known. */
    public static List<String> divisions() {
        return List.copyOf(DIVISIONS.keySet());
    }

    /** The parts of a division. */
    public static List<Part> of(String division) {
        List<Part> parts = DIVISIONS.get(division);
        if (parts == null) {
            throw new IllegalArgumentException(
                    "no devices are divided as '"
                            + division
                            + "'; there are "
                            + String.join(", ", divisions()));
        }
        return List.copyOf(parts);
    }

    /**
     * @throws IllegalArgumentException when there is no such part
     */
    public static Part named(String division, String profile) {
        return of(division).stream()
                .filter(each -> each.profile().equals(profile))
                .findFirst()
                .orElseThrow(() ->
                        new IllegalArgumentException(
                                "division '"
                                        + division
                                        + "' has no part '"
                                        + profile
                                        + "'; it has "
                                        + String.join(
                                                ", ",
                                                of(division).stream()
                                                        .map(Part::profile)
                                                        .toList())));
    }

    /**
     * Where a part begins beside slices that are taken: where most ways are left for other parts.
     *
     * @throws IllegalStateException when it does not fit
     */
    static Part place(Part part, int taken) {
        if (part.isPlaced()) {
            return part;
        }
        int best = Part.ANYWHERE;
        int most = -1;
        for (int rest = part.starts(); rest != 0; rest &= rest - 1) {
            int start = Integer.numberOfTrailingZeros(rest);
            int after = taken | part.mask(start);
            if ((taken & part.mask(start)) == 0) {
                int ways = of(part.division()).stream().mapToInt(each -> each.ways(after)).sum();
                if (ways > most) {
                    best = start;
                    most = ways;
                }
            }
        }
        if (best == Part.ANYWHERE) {
            throw new IllegalStateException("no room for part '" + part.profile() + "'");
        }
        return part.at(best);
    }
}
