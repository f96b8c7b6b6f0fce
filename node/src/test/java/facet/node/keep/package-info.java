@NullMarked
package facet.node.keep;

import org.jspecify.annotations.NullMarked;
