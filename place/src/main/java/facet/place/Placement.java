package facet.place;

/**
 * Where a request went.
 *
 * @param devices the bits of the node's devices, the first one lowest
 */
public record Placement(int ticket, Request request, int node, long devices) {}
