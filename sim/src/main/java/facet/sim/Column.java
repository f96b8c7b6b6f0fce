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
    LIMIT("limit"),
    /** Of a node: its pool; of a task: those that will do, with | between. */
    POOL("pool"),
    ZONE("zone"),
    /** Of a node: what it has; of a task: all that it wants, with | between. */
    LABELS("labels"),
    /** MiB of each device, or of each that is asked for. */
    DEVICE_MEMORY("device_memory_mib"),
    /** Devices that are near each other. */
    ISLAND("island"),
    /** Thousandths of a device that may be promised, bursts included. */
    PROMISED("promised"),
    /** How devices are divided into hardware parts. */
    DIVISION("division"),
    CODEC("codec"),
    RENDER("render"),
    /** Thousandths beyond what devices have, instead of those that they have. */
    BURST("burst"),
    /** A hardware part, with its division before it: a30-24gb/1g.6gb. */
    PART("part"),
    /** Of a turn of the tide: a time of the day, as 07:30. */
    FROM("from"),
    NODES("nodes"),
    DRAIN("drain"),
    PATIENCE("patience");

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
