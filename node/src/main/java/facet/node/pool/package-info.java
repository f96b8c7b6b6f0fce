/**
 * Slices whose device is on another node of the pool. {@link facet.node.pool.RelayPlace} is where
 * their sessions are hosted, as far as this node is concerned.
 */
@NullMarked
package facet.node.pool;

import org.jspecify.annotations.NullMarked;
