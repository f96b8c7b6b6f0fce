package facet.sim;

import facet.place.Cluster;
import facet.place.Models;
import facet.place.Node;
import facet.place.Request;
import facet.place.queue.Queue;
import facet.place.queue.Quotas;
import java.util.List;

/** A cluster, and what was asked of it. */
public record Trace(
        String name, Models models, List<Node> nodes, List<Task> tasks, List<Queue> queues) {
    public Trace {
        nodes = List.copyOf(nodes);
        tasks = List.copyOf(tasks);
        queues = List.copyOf(queues);
    }

    /** Whose queues may all have what there is. */
    public Trace(String name, Models models, List<Node> nodes, List<Task> tasks) {
        this(name, models, nodes, tasks, List.of());
    }

    /** With what its queues may have. */
    public Quotas quotas() {
        return new Quotas(
                queues.isEmpty()
                        ? tasks.stream()
                                .map(each -> each.standing().queue())
                                .distinct()
                                .map(Queue::unlimited)
                                .toList()
                        : queues);
    }

    /** With nothing on it. */
    public Cluster cluster() {
        return new Cluster(nodes, models);
    }

    public List<Request> requests() {
        return tasks.stream().map(Task::request).toList();
    }
}
