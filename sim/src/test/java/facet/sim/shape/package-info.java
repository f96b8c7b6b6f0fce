@NullMarked
package facet.sim.shape;

import org.jspecify.annotations.NullMarked;
