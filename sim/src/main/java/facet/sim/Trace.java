package facet.sim;

import facet.place.Cluster;
import facet.place.Models;
import facet.place.Names;
import facet.place.Node;
import facet.place.Request;
import facet.place.queue.Queue;
import facet.place.queue.Quotas;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A cluster, and what was asked of it.
 *
 * @param pools names of pools, by the numbers that requests have for them; so with labels
 * @param calendar by which nodes change hands; nothing where they stay in their pools
 */
public record Trace(
        String name,
        Models models,
        Names pools,
        Names labels,
        List<Node> nodes,
        List<Task> tasks,
        List<Queue> queues,
        @Nullable Calendar calendar) {
    public Trace {
        nodes = List.copyOf(nodes);
        tasks = List.copyOf(tasks);
        queues = List.copyOf(queues);
    }

    /** In which nobody asks for pools and labels. */
    public Trace(
            String name, Models models, List<Node> nodes, List<Task> tasks, List<Queue> queues) {
        this(name, models, new Names("pools"), new Names("labels"), nodes, tasks, queues, null);
    }

    /** With other nodes. */
    Trace on(List<Node> others) {
        return new Trace(name, models, pools, labels, others, tasks, queues, calendar);
    }

    /** With nodes that change hands. */
    Trace with(@Nullable Calendar other) {
        return new Trace(name, models, pools, labels, nodes, tasks, queues, other);
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
        return new Cluster(nodes, models, pools, labels);
    }

    public List<Request> requests() {
        return tasks.stream().map(Task::request).toList();
    }
}
