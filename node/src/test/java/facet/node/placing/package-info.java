/** Tests of which devices slices get. */
@NullMarked
package facet.node.placing;

import org.jspecify.annotations.NullMarked;
