package facet.place;

/**
 * Where a request could go, as long as the node is as it was.
 *
 * @param devices the bits of the node's devices, the first one lowest
 * @param version of the node when it was looked at; see {@link Cluster#version}
 */
public record Proposal(Request request, int node, long devices, long version) {
    /** Whatever happened to the node: as long as it fits. */
    public static final long ANY_VERSION = -1;

    public Proposal anyVersion() {
        return new Proposal(request, node, devices, ANY_VERSION);
    }
}
