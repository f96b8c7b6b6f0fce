/** Tests of what nodes of a pool know and decide. */
@NullMarked
package facet.node.pool;

import org.jspecify.annotations.NullMarked;
