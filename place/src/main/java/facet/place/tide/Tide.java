package facet.place.tide;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * How many nodes each pool has by the time of day. Times are seconds, those of a day from midnight.
 *
 * @param turns in the order of the day; the last one lasts past midnight to the first one
 */
public record Tide(List<Turn> turns) {
    public static final long DAY = 86_400;

    /**
     * @param second of the day from which it holds
     * @param nodes of each pool; all turns have the same pools, and as many nodes in all
     */
    public record Turn(long second, Map<String, Integer> nodes) {
        public Turn {
            nodes = Map.copyOf(nodes);
            if (second < 0 || second >= DAY) {
                throw new IllegalArgumentException(
                        "a turn at second " + second + "; a day has 0 to " + (DAY - 1));
            }
            if (nodes.values().stream().anyMatch(each -> each < 0)) {
                throw new IllegalArgumentException("a turn with less than no nodes: " + nodes);
            }
        }

        private int sum() {
            return nodes.values().stream().mapToInt(Integer::intValue).sum();
        }
    }

    public Tide {
        turns = List.copyOf(turns);
        if (turns.isEmpty()) {
            throw new IllegalArgumentException("a tide without turns");
        }
        Turn first = turns.getFirst();
        for (int i = 1; i < turns.size(); i++) {
            Turn each = turns.get(i);
            if (each.second() <= turns.get(i - 1).second()) {
                throw new IllegalArgumentException(
                        "turns at " + turns.get(i - 1).second() + " and then " + each.second());
            }
            if (!each.nodes().keySet().equals(first.nodes().keySet())
                    || each.sum() != first.sum()) {
                throw new IllegalArgumentException(
                        "turns with other pools or another number of nodes: "
                                + first.nodes()
                                + " and "
                                + each.nodes());
            }
        }
    }

    public Set<String> pools() {
        return turns.getFirst().nodes().keySet();
    }

    /** What holds at a time. */
    public Map<String, Integer> at(long now) {
        return turns.get(index(now)).nodes();
    }

    /** When what holds at a time began. */
    public long began(long now) {
        long second = turns.get(index(now)).second();
        long midnight = now - Math.floorMod(now, DAY);
        return second <= now - midnight ? midnight + second : midnight - DAY + second;
    }

    private int index(long now) {
        long second = Math.floorMod(now, DAY);
        int index = turns.size() - 1;
        for (int i = 0; i < turns.size(); i++) {
            if (turns.get(i).second() <= second) {
                index = i;
            }
        }
        return second < turns.getFirst().second() ? turns.size() - 1 : index;
    }
}
