package facet.kube.names;

import java.util.List;

/**
 * What a pod asks for: its containers that want a part of a GPU, and how it waits.
 *
 * @param queue in which it waits; empty: that of its namespace
 * @param gang of pods of its namespace that begin together; empty: it is alone
 * @param gangSize how many they are
 * @param models parts of the names of devices that will do, one of them; none: all
 */
public record PodWish(
        List<Wish> containers, String queue, String gang, int gangSize, List<String> models) {
    public PodWish {
        containers = List.copyOf(containers);
        models = List.copyOf(models);
    }

    /** Whether Facet has to do with it at all. */
    public boolean isEmpty() {
        return containers.isEmpty();
    }

    /** Thousandths of all devices together. */
    public long demand() {
        return containers.stream()
                .mapToLong(each -> (long) each.devices() * each.thousandths())
                .sum();
    }
}
