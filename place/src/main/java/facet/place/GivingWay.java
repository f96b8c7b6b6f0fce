package facet.place;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Who leaves a device of which too much is promised. What is promised beyond what a device has goes
 * to bursts, such as development environments; whoever has a right to the device is placed as if
 * they were not there. When it is more than the limit then, bursts give way: the lowest priority
 * first, and of one priority so few thousandths as will do.
 */
public final class GivingWay {
    private GivingWay() {}

    /** The tickets of a node that have to leave, so that all its devices are within the limit. */
    public static List<Integer> of(Ledger ledger, int node) {
        Cluster cluster = ledger.cluster();
        List<Integer> leave = new ArrayList<>();
        for (int device = cluster.first(node); device < cluster.end(node); device++) {
            int excess = -cluster.burstRoom(node, device);
            if (excess > 0) {
                long bit = 1L << device - cluster.first(node);
                leave.addAll(choose(ledger, bursts(ledger, node, bit), excess));
            }
        }
        return leave;
    }

    private static List<Integer> bursts(Ledger ledger, int node, long bit) {
        return ledger.on(node).stream()
                .filter(each -> ledger.devices(each) == bit)
                .filter(each -> burst(ledger, each) > 0)
                .sorted(Comparator.comparingInt(each -> ledger.job(each).priority()))
                .toList();
    }

    private static int burst(Ledger ledger, int ticket) {
        return ledger.job(ticket).request().share().burst();
    }

    /**
     * @param bursts the lowest priority first
     */
    private static List<Integer> choose(Ledger ledger, List<Integer> bursts, int excess) {
        List<Integer> chosen = new ArrayList<>();
        int missing = excess;
        int next = 0;
        while (missing > 0 && next < bursts.size()) {
            int priority = ledger.job(bursts.get(next)).priority();
            List<Integer> equals = new ArrayList<>();
            int sum = 0;
            for (; next < bursts.size(); next++) {
                if (ledger.job(bursts.get(next)).priority() != priority) {
                    break;
                }
                equals.add(bursts.get(next));
                sum += burst(ledger, bursts.get(next));
            }
            chosen.addAll(sum <= missing ? equals : least(ledger, equals, missing, sum));
            missing -= sum;
        }
        return chosen;
    }

    /** Those with the least sum that is at least {@code wanted}; of such the fewest. */
    private static List<Integer> least(Ledger ledger, List<Integer> all, int wanted, int sum) {
        // How many it takes at least for each sum, and which one came last to it.
        int[] count = new int[sum + 1];
        int[][] last = new int[all.size()][sum + 1];
        java.util.Arrays.fill(count, Integer.MAX_VALUE);
        count[0] = 0;
        for (int i = 0; i < all.size(); i++) {
            int size = burst(ledger, all.get(i));
            for (int to = sum; to >= size; to--) {
                if (count[to - size] != Integer.MAX_VALUE && count[to - size] + 1 < count[to]) {
                    count[to] = count[to - size] + 1;
                    last[i][to] = 1;
                }
            }
        }
        int best = wanted;
        while (count[best] == Integer.MAX_VALUE) {
            best++;
        }
        List<Integer> chosen = new ArrayList<>();
        int rest = best;
        for (int i = all.size() - 1; i >= 0 && rest > 0; i--) {
            if (last[i][rest] == 1) {
                chosen.add(all.get(i));
                rest -= burst(ledger, all.get(i));
            }
        }
        return chosen;
    }
}
