@NullMarked
package facet.sim;

import org.jspecify.annotations.NullMarked;
