package facet.jit.runtime;

import facet.jit.runtime.Site.Operation;

/**
 * {@code barrier.cluster} (PTX ISA 9.7.13.3) of clusters that are one block: a thread that waits
 * goes on when every other one has arrived as often as it has, or has exited.
 */
final class ClusterBarrier {
    private ClusterBarrier() {}

    /** Whether any thread got to go on. */
    static boolean release(Block block, Site[] sites) {
        int[] state = block.state;
        int[] arrivals = block.clusterArrivals();
        boolean moved = false;
        int fewest = Integer.MAX_VALUE;
        for (int t = 0; t < block.threads; t++) {
            if (is(state[t], sites, Operation.CLUSTER_ARRIVE)) {
                state[t] = go(state[t], sites);
                arrivals[t]++;
                moved = true;
            }
            if (state[t] != Block.EXITED) {
                fewest = Math.min(fewest, arrivals[t]);
            }
        }
        for (int t = 0; t < block.threads; t++) {
            if (is(state[t], sites, Operation.CLUSTER_WAIT) && arrivals[t] <= fewest) {
                state[t] = go(state[t], sites);
                moved = true;
            }
        }
        return moved;
    }

    private static boolean is(int state, Site[] sites, Operation operation) {
        return state < 0 && state != Block.EXITED && sites[~state].operation() == operation;
    }

    private static int go(int state, Site[] sites) {
        return sites[~state].next();
    }
}
