/**
 * Pieces of memory on their way, in as few bytes as pays: pages of zeros are left out, what the
 * other node has is named, and what is left is compressed where the road is slower than that.
 *
 * <p>A writer and a reader belong to one thread at a time each.
 */
@NullMarked
package facet.pool.piece;

import org.jspecify.annotations.NullMarked;
