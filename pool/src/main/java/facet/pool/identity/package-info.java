/**
 * Who belongs to a pool. A {@link facet.pool.identity.PoolToken} is all that its members have in
 * common; with it each of them makes a key and a certificate of its own when it starts ({@link
 * facet.pool.identity.NodeIdentity}), which are written nowhere.
 */
@NullMarked
package facet.pool.identity;

import org.jspecify.annotations.NullMarked;
