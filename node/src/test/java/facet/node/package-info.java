@NullMarked
package facet.node;

import org.jspecify.annotations.NullMarked;
