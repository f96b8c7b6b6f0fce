/** Tests of slices for containers. */
@NullMarked
package facet.node.container;

import org.jspecify.annotations.NullMarked;
