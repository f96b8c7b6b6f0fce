package facet.place.queue;

import facet.place.Job;
import facet.place.Ledger;
import facet.place.Proposal;
import facet.place.Request;
import facet.place.Share;
import facet.place.Trial;
import facet.place.Where;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Room that is kept for a gang: where it will be, in the order of its jobs, and who leaves before.
 * Others get what is free there beyond that; who will be gone by then may use all of it. {@code
 * time} is when the room is there at the latest, or {@code UNKNOWN}. {@code awaited} are tickets on
 * the same nodes that leave before; {@code told} those that leave for its sake, on any node.
 */
final class Reservation {
    private final Waiting waiting;
    private final long time;
    private final List<Proposal> where;
    private final List<Integer> awaited;
    private final List<Integer> told;

    /** How much had happened when nothing better was found. */
    long tried;

    Reservation(
            Waiting waiting,
            long time,
            List<Proposal> where,
            List<Integer> awaited,
            List<Integer> told) {
        this.waiting = waiting;
        this.time = time;
        this.where = List.copyOf(where);
        this.awaited = new ArrayList<>(awaited);
        this.told = new ArrayList<>(told);
    }

    Waiting waiting() {
        return waiting;
    }

    long time() {
        return time;
    }

    List<Proposal> where() {
        return where;
    }

    /** Of those that are still there; whoever leaves is taken out. */
    List<Integer> awaited() {
        return awaited;
    }

    /** The same. */
    List<Integer> told() {
        return told;
    }

    /** Whether it is for this one, or for one of the same queue that comes after it. */
    boolean isBehind(Waiting one) {
        return one.gang().queue().equals(waiting.gang().queue())
                && Waiting.ORDER.compare(one, waiting) <= 0;
    }

    /** Whether it is all there when those have left who are awaited. */
    boolean isPossible(Ledger ledger) {
        try (Trial trial = new Trial(ledger)) {
            awaited.forEach(trial::without);
            for (Proposal each : where) {
                if (!ledger.cluster().suits(each.node(), each.request())
                        || !ledger.cluster().canTake(each.node(), each.devices(), each.request())) {
                    return false;
                }
                trial.with(each);
            }
            return true;
        }
    }

    boolean isOn(int node) {
        return where.stream().anyMatch(each -> each.node() == node);
    }

    /** Whether somebody who ends then is gone before the room is wanted. */
    boolean isAfter(long end) {
        return time != Job.Stay.UNKNOWN && end <= time;
    }

    /**
     * Takes away what nobody else may have now: what it will need, less what those still have who
     * are awaited.
     */
    void hold(Ledger ledger, Trial trial) {
        Map<Integer, List<Request>> needed = new TreeMap<>();
        Map<Integer, int[][]> devices = new HashMap<>();
        for (Proposal each : where) {
            if (each.request().share().isBeside()) {
                // Bursts and hardware parts: all of it as soon as it is there.
                if (ledger.cluster().canTake(each.node(), each.devices(), each.request())) {
                    trial.with(each);
                }
                continue;
            }
            needed.computeIfAbsent(each.node(), node -> new ArrayList<>()).add(each.request());
            add(ledger, devices, each.node(), each.devices(), each.request(), 1);
        }
        Map<Integer, int[]> hosts = new HashMap<>();
        needed.forEach((node, requests) ->
                hosts.put(
                        node,
                        new int[] {
                            requests.stream().mapToInt(Request::cpu).sum(),
                            requests.stream().mapToInt(Request::memory).sum()
                        }));
        for (int ticket : awaited) {
            int node = ledger.node(ticket);
            int[] host = hosts.get(node);
            if (host != null) {
                Request request = ledger.job(ticket).request();
                host[0] -= request.cpu();
                host[1] -= request.memory();
                add(ledger, devices, node, ledger.devices(ticket), request, -1);
            }
        }
        for (int node : needed.keySet()) {
            int[] host = hosts.getOrDefault(node, new int[2]);
            hold(ledger, trial, node, host, devices.getOrDefault(node, new int[0][]));
        }
    }

    private static void add(
            Ledger ledger,
            Map<Integer, int[][]> devices,
            int node,
            long which,
            Request request,
            int sign) {
        int count = ledger.cluster().end(node) - ledger.cluster().first(node);
        int[][] all = devices.computeIfAbsent(node, each -> new int[count][4]);
        Share share = request.share();
        int memory = ledger.cluster().neededMemory(node, share);
        for (long rest = which; rest != 0; rest &= rest - 1) {
            int[] device = all[Long.numberOfTrailingZeros(rest)];
            device[0] += sign * share.thousandths();
            device[1] += sign * memory;
            device[2] += sign * share.codec();
            device[3] += sign * share.render();
        }
    }

    private static void hold(Ledger ledger, Trial trial, int node, int[] host, int[][] devices) {
        var cluster = ledger.cluster();
        int cpu = Math.clamp(host[0], 0, cluster.cpu(node));
        int memory = Math.clamp(host[1], 0, cluster.memory(node));
        if (cpu > 0 || memory > 0) {
            trial.with(new Request(0, 0, 0, cpu, memory), node, 0);
        }
        for (int i = 0; i < devices.length; i++) {
            int device = cluster.first(node) + i;
            Share share =
                    new Share(
                            Math.clamp(devices[i][0], 0, cluster.free(device)),
                            Math.clamp(devices[i][1], 0, cluster.freeMemory(device)),
                            Math.clamp(devices[i][2], 0, cluster.freeCodec(device)),
                            Math.clamp(devices[i][3], 0, cluster.freeRender(device)));
            if (!share.equals(new Share(0, 0, 0, 0))) {
                trial.with(new Request(1, share, Where.ANYWHERE, 0, 0), node, 1L << i);
            }
        }
    }
}
