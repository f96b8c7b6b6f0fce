package facet.jit.runtime;

import facet.jit.runtime.Site.Operation;

/**
 * {@code barrier.cluster} (PTX ISA 9.7.13.3): a thread that waits goes on when every other one of
 * the cluster has arrived as often as it has, or has exited.
 */
final class ClusterBarrier {
    private ClusterBarrier() {}

    /** Lets threads of this block go on; whether any did. One thread runs all of the cluster. */
    static boolean release(Block block, Site[] sites) {
        int[] state = block.state;
        int[] arrivals = block.clusterArrivals();
        boolean moved = false;
        for (int t = 0; t < block.threads; t++) {
            if (is(state[t], sites, Operation.CLUSTER_ARRIVE)) {
                state[t] = go(state[t], sites);
                arrivals[t]++;
                moved = true;
            }
        }
        int fewest = Integer.MAX_VALUE;
        for (Block each : block.members) {
            fewest = Math.min(fewest, fewest(each));
        }
        for (int t = 0; t < block.threads; t++) {
            if (is(state[t], sites, Operation.CLUSTER_WAIT) && arrivals[t] <= fewest) {
                state[t] = go(state[t], sites);
                moved = true;
            }
        }
        return moved;
    }

    /** Whether a thread waits that other blocks may free. */
    static boolean holds(Block block, Site[] sites) {
        if (block.members.length > 1) {
            for (int t = 0; t < block.threads; t++) {
                if (is(block.state[t], sites, Operation.CLUSTER_WAIT)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Arrivals of the thread that has the fewest of those that are left. */
    private static int fewest(Block block) {
        if (!block.started) {
            return 0;
        }
        int[] arrivals = block.clusterArrivals();
        int fewest = Integer.MAX_VALUE;
        for (int t = 0; t < block.threads; t++) {
            if (block.state[t] != Block.EXITED) {
                fewest = Math.min(fewest, arrivals[t]);
            }
        }
        return fewest;
    }

    private static boolean is(int state, Site[] sites, Operation operation) {
        return state < 0 && state != Block.EXITED && sites[~state].operation() == operation;
    }

    private static int go(int state, Site[] sites) {
        return sites[~state].next();
    }
}
