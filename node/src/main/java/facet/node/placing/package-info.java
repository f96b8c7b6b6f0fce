/**
 * Which devices a slice gets, of this node and of the pool. {@link facet.place} decides; here
 * slices become requests, and what is lacking is said in the words of slices. No thread and no
 * lock.
 */
@NullMarked
package facet.node.placing;

import org.jspecify.annotations.NullMarked;
