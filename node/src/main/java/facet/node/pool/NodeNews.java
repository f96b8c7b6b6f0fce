package facet.node.pool;

import facet.pool.identity.NodeIdentity;
import java.util.List;

/**
 * What a node tells of itself, and of others whom it knows.
 *
 * @param node its name
 * @param address where it listens; empty: nowhere
 * @param leaving whether it is about to leave the pool
 * @param draining whether it takes no new slices
 * @param sessions programs that use its devices
 * @param lent slices that it has for other nodes
 * @param others addresses of other members that it can reach
 */
public record NodeNews(
        String node,
        String address,
        boolean leaving,
        boolean draining,
        int sessions,
        int lent,
        List<DeviceNews> devices,
        List<Other> others) {
    private static final int MOST_DEVICES = 256;
    private static final int MOST_OTHERS = 1024;

    /** Another member, as one who has talked with it knows it. */
    public record Other(String node, String address) {
        public Other {
            if (!NodeIdentity.isName(node)) {
                throw new IllegalArgumentException("a member without a name");
            }
            PoolAddress _ = PoolAddress.parse(address);
        }
    }

    public NodeNews {
        devices = List.copyOf(devices);
        others = List.copyOf(others);
        if (!NodeIdentity.isName(node)
                || devices.size() > MOST_DEVICES
                || others.size() > MOST_OTHERS) {
            throw new IllegalArgumentException("news of no node");
        }
        if (!address.isEmpty()) {
            PoolAddress _ = PoolAddress.parse(address);
        }
    }
}
