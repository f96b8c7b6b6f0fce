/** Rules about the house as a whole. */
@NullMarked
package facet.architecture;

import org.jspecify.annotations.NullMarked;
