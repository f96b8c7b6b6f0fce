@NullMarked
package facet.node.image;

import org.jspecify.annotations.NullMarked;
