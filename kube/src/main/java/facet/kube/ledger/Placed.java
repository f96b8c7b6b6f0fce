package facet.kube.ledger;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a pod gets: its annotation {@code facet.dev/placement}, and its line in the node's book.
 *
 * @param by who decided
 * @param containers by their names
 */
public record Placed(@Nullable String by, Map<String, Given> containers) {
    public Placed {
        containers = containers == null ? Map.of() : Map.copyOf(containers);
    }

    public String json() {
        try {
            return Json.MAPPER.writeValueAsString(
                    new Placed.Ordered(by, new TreeMap<>(containers)));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    private record Ordered(@Nullable String by, Map<String, Given> containers) {}

    /**
     * @throws IllegalArgumentException when it is none, in words
     */
    public static Placed parse(String json) {
        try {
            Placed placed = Json.MAPPER.readValue(json, Placed.class);
            if (placed == null) {
                throw new IllegalArgumentException("facet.dev/placement is null");
            }
            return placed;
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(
                    "facet.dev/placement is no placement: " + e.getOriginalMessage(), e);
        }
    }
}
