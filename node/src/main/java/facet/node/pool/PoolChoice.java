package facet.node.pool;

import facet.pool.identity.NodeIdentity;
import facet.slices.Site;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;

/**
 * How this node is in its pool; kept across restarts.
 *
 * @param node its name in the pool
 * @param listen where others find it; empty: it uses others' devices and lends none
 * @param seeds members that it asks for the others
 * @param draining whether it takes no new slices
 */
public record PoolChoice(
        String node, Optional<PoolAddress> listen, List<PoolAddress> seeds, boolean draining) {
    public PoolChoice {
        seeds = List.copyOf(seeds);
        if (!NodeIdentity.isName(node) || Site.WORDS.contains(node)) {
            throw new IllegalArgumentException(
                    "'"
                            + node
                            + "' cannot name a node: 1 to 63 letters, digits, '.', '_' and '-', and"
                            + " neither any nor nearest");
        }
    }

    /** The same with the port that it got. */
    PoolChoice at(Optional<PoolAddress> place) {
        return new PoolChoice(node, place, seeds, draining);
    }

    PoolChoice draining(boolean drains) {
        return new PoolChoice(node, listen, seeds, drains);
    }

    /** The machine's name, as far as a node can have it. */
    public static String usualName() {
        String host;
        try {
            host = InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            host = "node"; // a machine without a name
        }
        String name = host.replaceAll("[^A-Za-z0-9._-]", "-").replaceAll("^[^A-Za-z0-9]+", "");
        String shortened = name.substring(0, Math.min(name.length(), 63));
        String end = shortened.replaceAll("[^A-Za-z0-9]+$", "");
        return end.isEmpty() || Site.WORDS.contains(end) ? "node" : end;
    }
}
