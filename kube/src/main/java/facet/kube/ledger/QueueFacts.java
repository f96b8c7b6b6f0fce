package facet.kube.ledger;

import facet.place.queue.Queue;
import java.util.Set;

/**
 * A queue as its GpuQueue describes it.
 *
 * @param queue what it may have, in thousandths of devices
 * @param namespaces whose pods may wait in it; none: all
 */
public record QueueFacts(Queue queue, Set<String> namespaces) {
    public QueueFacts {
        namespaces = Set.copyOf(namespaces);
    }

    public boolean takes(String namespace) {
        return namespaces.isEmpty() || namespaces.contains(namespace);
    }
}
