package facet.place.queue;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What queues may have and what they have, in thousandths of devices. */
public final class Quotas {
    private final Map<String, Queue> queues = new HashMap<>();
    private final Map<String, Long> used = new HashMap<>();

    private long changes;

    /** Of what they have: what was told to leave. */
    private final Map<String, Long> leaving = new HashMap<>();

    public Quotas(Collection<Queue> all) {
        for (Queue each : all) {
            if (queues.put(each.name(), each) != null) {
                throw new IllegalArgumentException(
                        "two queues have the name '" + each.name() + "'");
            }
        }
    }

    /** One queue without a name that gets all there is. */
    public static Quotas none() {
        return new Quotas(List.of(Queue.unlimited("")));
    }

    /**
     * @throws IllegalArgumentException when there is none of that name
     */
    public Queue queue(String name) {
        Queue queue = queues.get(name);
        if (queue == null) {
            throw new IllegalArgumentException(
                    "there is no queue '"
                            + name
                            + "'; there are "
                            + queues.keySet().stream().sorted().toList());
        }
        return queue;
    }

    /** What it may have changes; what it has stays, and is given back when others want it. */
    public void change(Queue queue) {
        queues.put(queue.name(), queue);
        changes++;
    }

    /** How often what queues may have was changed. */
    long changes() {
        return changes;
    }

    public long used(String queue) {
        return used.getOrDefault(queue, 0L);
    }

    void take(String queue, long thousandths) {
        used.merge(queue, thousandths, Long::sum);
    }

    void give(String queue, long thousandths) {
        long left = used(queue) - thousandths;
        if (left < 0) {
            throw new IllegalStateException(
                    "queue '" + queue + "' gives back " + -left + " thousandths that it had not");
        }
        used.put(queue, left);
    }

    /** So much of what it has was told to leave, or may stay after all. */
    void tell(String queue, long thousandths) {
        leaving.merge(queue, thousandths, Long::sum);
    }

    /** What it has when all have left who were told to. */
    private long settled(String queue) {
        return used(queue) - leaving.getOrDefault(queue, 0L);
    }

    /** Whether it stays within its quota with so much more. */
    boolean owns(String queue, long more) {
        return more <= queue(queue).quota() - settled(queue);
    }

    /** So much has to leave before it may have so much more, beside what leaves anyway. */
    long excess(String queue, long more, boolean mayBorrow) {
        long most = mayBorrow ? queue(queue).limit() : queue(queue).quota();
        return Math.max(0, more - (most - settled(queue)));
    }

    /** Whether it could have so much at all. */
    boolean couldAllow(String queue, long thousandths, boolean mayBorrow) {
        return thousandths <= (mayBorrow ? queue(queue).limit() : queue(queue).quota());
    }

    /**
     * Whether it may have so much more now.
     *
     * @param mayBorrow who cannot be made to leave may not
     */
    boolean allows(String queue, long more, boolean mayBorrow) {
        long most = mayBorrow ? queue(queue).limit() : queue(queue).quota();
        return more <= most - used(queue);
    }

    /** What it has above its quota when all have left who were told to. */
    long borrowed(String queue) {
        return Math.max(0, settled(queue) - queue(queue).quota());
    }

    boolean isAnyBorrowed() {
        return queues.keySet().stream().anyMatch(each -> borrowed(each) > 0);
    }

    /** How much of its quota it uses: who uses least comes first. */
    double part(String queue) {
        long quota = queue(queue).quota();
        return quota == 0 ? Double.POSITIVE_INFINITY : (double) used(queue) / quota;
    }
}
