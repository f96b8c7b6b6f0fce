/**
 * Seats of a device that work in another process: the daemon lends them, a worker uses them and
 * gives them back. Both sides see one page a device ({@link facet.host.lease.SeatPage}); nothing
 * but that page and a bell is common to them. {@link facet.host.lease.LeasedSeats} is the worker's
 * side, {@link facet.node.sharing} the daemon's, which decides and believes nothing of the page
 * that would cost anybody else.
 */
@NullMarked
package facet.host.lease;

import org.jspecify.annotations.NullMarked;
