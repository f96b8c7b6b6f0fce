package facet.sim;

import java.util.List;
import java.util.OptionalInt;

/** What traces say of nodes and tasks, by the names in our files and in Alibaba's openb traces. */
enum Column {
    NAME("name sn"),
    /** Of a node: its model; of a task: those that will do, with | between. */
    MODEL("model gpu_spec"),
    DEVICES("devices gpu num_gpu"),
    THOUSANDTHS("thousandths gpu_milli"),
    CPU("cpu_milli"),
    MEMORY("memory_mib"),
    ARRIVES("arrives creation_time"),
    LEAVES("leaves deletion_time"),
    QUEUE("queue"),
    PRIORITY("priority"),
    GANG("gang"),
    /** never, restarts or moves. */
    LEAVING("leaving"),
    /** Seconds. */
    GRACE("grace"),
    /** Where the columns above are not there. */
    QUALITY("qos"),
    QUOTA("quota"),
    LIMIT("limit");

    /** Ours first, with spaces between. */
    private final String names;

    Column(String names) {
        this.names = names;
    }

    List<String> names() {
        return List.of(names.split(" ", -1));
    }

    String word() {
        return names().getFirst();
    }

    OptionalInt find(List<String> head) {
        for (int i = 0; i < head.size(); i++) {
            if (names().contains(head.get(i).strip())) {
                return OptionalInt.of(i);
            }
        }
        return OptionalInt.empty();
    }
}
