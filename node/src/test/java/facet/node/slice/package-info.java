@NullMarked
package facet.node.slice;

import org.jspecify.annotations.NullMarked;
