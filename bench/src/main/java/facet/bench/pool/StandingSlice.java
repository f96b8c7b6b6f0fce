package facet.bench.pool;

import facet.node.pool.RelayPlace;
import facet.node.pool.SessionLinks;
import facet.pool.identity.NodeIdentity;
import facet.slices.Slice;
import java.net.InetSocketAddress;

/** A slice of the other node that is there whoever asks, and stays as it is. */
final class StandingSlice implements RelayPlace.Far {
    private final NodeIdentity identity;
    private final String name;
    private final InetSocketAddress address;
    private final SessionLinks links = new SessionLinks();

    StandingSlice(NodeIdentity identity, String name, InetSocketAddress address) {
        this.identity = identity;
        this.name = name;
        this.address = address;
    }

    @Override
    public NodeIdentity identity() {
        return identity;
    }

    @Override
    public String ensure() {
        return name;
    }

    @Override
    public InetSocketAddress address() {
        return address;
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
        // Who measures ends it.
    }
}
