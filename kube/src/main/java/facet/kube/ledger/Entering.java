package facet.kube.ledger;

import facet.place.Gang;
import facet.place.Job;
import facet.place.Proposal;
import facet.place.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Enters what is there already into the ledger of a fleet. Processors and memory of a node may be
 * promised beyond what it has, by others: then as much is entered as there is.
 *
 * @param pod nothing where only a book knows it
 */
record Entering(Fleet fleet, int node, @Nullable PodFacts pod, String queue) {
    /** Whether there was room for its devices. */
    boolean enter(Holding holding) {
        int cpu = pod == null ? 0 : Math.min(pod.cpu(), fleet.cluster.cpu(node));
        int memory = pod == null ? 0 : Math.min(pod.memory(), fleet.cluster.memory(node));
        Placed placed = holding.placed;
        if (placed == null || placed.containers().isEmpty()) {
            holding.dispatched = false;
            holding.tickets.add(fleet.ledger.enter(Fleet.plain(cpu, memory), node, 0));
            return true;
        }
        List<Job> jobs = new ArrayList<>();
        List<Proposal> where = new ArrayList<>();
        for (Map.Entry<String, Given> each : placed.containers().entrySet()) {
            long bits = fleet.bits(node, each.getValue().devices());
            if (bits == 0) {
                // A device that is not there, or not well: nobody gets it now.
                continue;
            }
            boolean first = jobs.isEmpty();
            Request request =
                    fleet.request(node, each.getValue(), first ? cpu : 0, first ? memory : 0);
            jobs.add(job(holding.uid + "/" + each.getKey(), request));
            where.add(new Proposal(request, node, bits, Proposal.ANY_VERSION));
        }
        if (jobs.isEmpty()) {
            return true;
        }
        Gang gang = new Gang("running " + holding.uid, jobs, Gang.FOREVER, Gang.Near.NODE);
        long since = pod == null ? 0 : pod.created() * 1000;
        holding.dispatched = true;
        holding.tickets.addAll(fleet.dispatcher.adopt(gang, where, since));
        return !holding.tickets.isEmpty();
    }

    private Job job(String name, Request request) {
        boolean stays = pod == null || pod.stays();
        return new Job(
                name,
                request,
                queue,
                pod == null ? 0 : pod.priority(),
                new Job.Stay(
                        Job.Stay.UNKNOWN,
                        stays ? Job.Leaving.NEVER : Job.Leaving.RESTARTS,
                        pod == null ? 0 : pod.grace() * 1000));
    }
}
