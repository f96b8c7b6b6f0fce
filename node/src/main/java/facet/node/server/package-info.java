/**
 * Slices as they run: each has a socket, a thread that accepts on it, a thread for each connection,
 * and a place where its sessions are hosted. Locks: a slice's own, for its sessions; none is held
 * while a client is waited for.
 */
@NullMarked
package facet.node.server;

import org.jspecify.annotations.NullMarked;
