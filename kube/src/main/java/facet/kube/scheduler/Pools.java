package facet.kube.scheduler;

import facet.place.tide.Tide;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.time.LocalTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * GpuPools, as people write them.
 *
 * @param nodes that belong to a pool by name: pools by nodes
 * @param turns how many nodes a pool has from a second of the day on, by pools
 * @param drain seconds before a turn from which nodes take nothing new
 */
public record Pools(
        Map<String, String> nodes, Map<String, NavigableMap<Long, Integer>> turns, long drain) {
    public static final ResourceDefinitionContext CONTEXT =
            new ResourceDefinitionContext.Builder()
                    .withGroup("facet.dev")
                    .withVersion("v1")
                    .withKind("GpuPool")
                    .withPlural("gpupools")
                    .withNamespaced(false)
                    .build();

    private static final int MOST_NODES = 1_000_000;
    private static final long MINUTE = 60;
    private static final long USUAL_DRAIN = 30;

    /**
     * @throws IllegalArgumentException when one of them makes no sense, in words
     */
    public static Pools read(List<GenericKubernetesResource> objects) {
        Map<String, String> nodes = new TreeMap<>();
        Map<String, NavigableMap<Long, Integer>> turns = new TreeMap<>();
        long drain = 0;
        for (GenericKubernetesResource each : objects) {
            String name = each.getMetadata().getName();
            Object spec = each.getAdditionalProperties().get("spec");
            Map<?, ?> said = spec instanceof Map<?, ?> map ? map : Map.of();
            if (said.get("nodes") instanceof List<?> list) {
                for (Object node : list) {
                    String other = nodes.putIfAbsent(String.valueOf(node), name);
                    if (other != null && !other.equals(name)) {
                        throw new IllegalArgumentException(
                                "node %s is named by the pools '%s' and '%s'; leave it out of one"
                                        .formatted(node, other, name));
                    }
                }
            }
            if (said.get("tide") instanceof List<?> list && !list.isEmpty()) {
                NavigableMap<Long, Integer> own = new TreeMap<>();
                list.forEach(turn -> enter(name, turn, own));
                turns.put(name, own);
                drain =
                        Math.max(
                                drain,
                                MINUTE * number(name, "drain", said.get("drain"), USUAL_DRAIN));
            }
        }
        return new Pools(nodes, turns, Math.min(drain, Tide.DAY - 1));
    }

    private static void enter(String pool, Object turn, NavigableMap<Long, Integer> own) {
        Map<?, ?> said = turn instanceof Map<?, ?> map ? map : Map.of();
        try {
            long second = LocalTime.parse(String.valueOf(said.get("from"))).toSecondOfDay();
            own.put(second, (int) number(pool, "nodes", said.get("nodes"), -1));
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException(
                    "pool '%s': a turn begins at a time of the day (UTC) such as 08:00, not '%s'"
                            .formatted(pool, said.get("from")),
                    e);
        }
    }

    private static long number(String pool, String what, @Nullable Object said, long otherwise) {
        long number = said instanceof Number given ? given.longValue() : otherwise;
        if (number < 0 || number > MOST_NODES) {
            throw new IllegalArgumentException(
                    "pool '%s': %s is a number from 0 to %d, not %s"
                            .formatted(pool, what, MOST_NODES, said));
        }
        return number;
    }

    /**
     * The calendar of all pools that have one.
     *
     * @throws IllegalArgumentException when they do not have as many nodes together at all times
     */
    public Optional<Tide> tide() {
        Map<Long, Map<String, Integer>> all = new TreeMap<>();
        turns.values().forEach(each -> each.keySet().forEach(at -> all.put(at, new TreeMap<>())));
        List<Tide.Turn> list = new ArrayList<>();
        all.forEach((at, counts) -> {
            turns.forEach((pool, own) -> {
                // Before its first turn of the day the last one of yesterday still holds.
                Map.Entry<Long, Integer> entry = own.floorEntry(at);
                counts.put(pool, (entry == null ? own.lastEntry() : entry).getValue());
            });
            list.add(new Tide.Turn(at, counts));
        });
        return list.isEmpty() ? Optional.empty() : Optional.of(new Tide(list));
    }
}
