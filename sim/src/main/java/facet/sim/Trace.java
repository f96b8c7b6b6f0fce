package facet.sim;

import facet.place.Cluster;
import facet.place.Models;
import facet.place.Node;
import facet.place.Request;
import java.util.List;

/** A cluster, and what was asked of it. */
public record Trace(String name, Models models, List<Node> nodes, List<Task> tasks) {
    public Trace {
        nodes = List.copyOf(nodes);
        tasks = List.copyOf(tasks);
    }

    /** With nothing on it. */
    public Cluster cluster() {
        return new Cluster(nodes, models);
    }

    public List<Request> requests() {
        return tasks.stream().map(Task::request).toList();
    }
}
