package facet.device.cpu;

import facet.device.Arbiter;
import java.util.IdentityHashMap;

/**
 * Blocks, or clusters, that were set aside because they wait for others. Each keeps its memory,
 * which has entries in this process's table of mappings; without a free one nothing can be mapped
 * any more. Kernels that all wait, in as many streams as there are or launched by kernels, would
 * use them up: so a share has at most half of what the others leave. Thread-safe.
 */
final class SetAside {
    /** Of each two entries, of some 65,000 that the system allows a process. */
    private static final int MOST = 20_000;

    private static final SetAside OF_PROCESS = new SetAside(MOST);

    private final int most;
    private final IdentityHashMap<Arbiter.Share, Integer> byShare = new IdentityHashMap<>();
    private int all;

    /**
     * @param most that there may be
     */
    SetAside(int most) {
        this.most = most;
    }

    static SetAside ofProcess() {
        return OF_PROCESS;
    }

    /** False when the share has too many. */
    synchronized boolean take(Arbiter.Share share) {
        int present = byShare.getOrDefault(share, 0);
        if (present + 1 > (most - (all - present)) / 2) {
            return false;
        }
        byShare.put(share, present + 1);
        all++;
        return true;
    }

    synchronized void give(Arbiter.Share share) {
        all--;
        byShare.computeIfPresent(share, (_, count) -> count == 1 ? null : count - 1);
    }
}
