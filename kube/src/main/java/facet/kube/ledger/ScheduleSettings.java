package facet.kube.ledger;

import facet.kube.names.Names;
import facet.place.Cluster;
import facet.place.Policies;
import java.util.Set;

/**
 * How one of several schedulers decides.
 *
 * @param name by which pods choose it, and which it writes into books
 * @param pools whose nodes it uses; none: all
 * @param policy of {@code place}
 * @param preempts whether others are told to leave for those with more priority or their own quota
 * @param promised thousandths of a device that may be promised with bursts
 */
public record ScheduleSettings(
        String name, Set<String> pools, String policy, boolean preempts, int promised) {
    public ScheduleSettings {
        pools = Set.copyOf(pools);
    }

    public static ScheduleSettings usual() {
        return new ScheduleSettings(Names.SCHEDULER, Set.of(), Policies.OURS, true, Cluster.WHOLE);
    }

    public ScheduleSettings named(String other) {
        return new ScheduleSettings(other, pools, policy, preempts, promised);
    }
}
