/**
 * What a container is given: so much of a device, through a socket of its own, with a ledger of the
 * memory taken. {@link facet.host.ledger.Ledger} may be called by all sessions of a slice at once;
 * its lock is a leaf.
 */
@NullMarked
package facet.node.slice;

import org.jspecify.annotations.NullMarked;
