package facet.bench.pool;

import facet.node.pool.RelayPlace;
import facet.node.pool.SessionLinks;
import facet.pool.identity.NodeIdentity;
import facet.pool.link.LinkTimes;
import facet.pool.link.Spare;
import facet.slices.Slice;
import java.net.InetSocketAddress;

/** A slice of the other node that is there whoever asks, and stays as it is. */
final class StandingSlice implements RelayPlace.Far {
    private final String name;
    private final Spare spare;
    private final SessionLinks links = new SessionLinks();

    StandingSlice(NodeIdentity identity, String name, InetSocketAddress address) {
        this.name = name;
        this.spare = new Spare(identity, address, LinkTimes.USUAL);
    }

    @Override
    public String ensure() {
        return name;
    }

    @Override
    public Spare spare() {
        return spare;
    }

    @Override
    public void change(Slice other) {
        throw new IllegalStateException("nobody changes slices while they are measured");
    }

    @Override
    public SessionLinks links() {
        return links;
    }

    @Override
    public void close() {
        spare.close();
    }
}
