/**
 * What is on a device and what has been moved to host memory because slices were promised more than
 * the device has. {@link facet.host.residency.Residency} is the device's book; one thread of it
 * makes all moves. {@link facet.host.residency.ContextHolding} is the memory of one context, with
 * its book ({@link facet.host.residency.Places}) and its moves ({@link
 * facet.host.residency.ContextMoves}), {@link facet.host.residency.RemoteRoom} what another process
 * was lent for its contexts; it has a Residency of its own for that, and a {@link
 * facet.host.residency.LentRoom}.
 *
 * <pre>
 *   who waits (Claimant):  ContextHolding, RemoteRoom
 *   where room comes from (Source):  Clearing: others leave      LentRoom: the lender gives more
 *   who leaves (Leaver):   a group of a ContextHolding's allocations, a part of a RemoteRoom
 * </pre>
 *
 * <p>A holding's {@link facet.host.residency.Gate} is held while work is given to its device
 * context, while its book changes and while its bytes move. Nobody holds two gates. Whoever gives
 * work or changes the book does not wait for the gate: the change is made, and who wants the gate
 * is told ({@link facet.host.residency.Later}), by whoever leaves it. The book's monitor is a leaf:
 * it is taken with a gate held, and nothing that takes a lock is called while it is. It guards
 * RemoteRooms, too.
 */
@NullMarked
package facet.host.residency;

import org.jspecify.annotations.NullMarked;
