/**
 * Programs of one node on a device of another. The session's own commands travel: {@link
 * facet.pool.relay.NearSession} reads them from the ring of the program, {@link
 * facet.pool.relay.FarSession} writes them to the ring of a session on the other node, where it is
 * a client of a slice like any other. So whatever holds for a program there (quota, shares,
 * isolation, faults) holds for one that is here.
 *
 * <p>To the program it is memory that is far: device memory is touched by commands alone. Data in
 * staging memory travels with the command that reads it. What both sides access by plain pointers
 * is kept alike by {@link facet.pool.relay.SharedRanges}. All of that goes over the link's bulk
 * lane; a message of the other lane says how much of it must have come before.
 *
 * <p>Locks: a session's own, then that of its shared ranges, then the link's.
 */
@NullMarked
package facet.pool.relay;

import org.jspecify.annotations.NullMarked;
