@NullMarked
package facet.place.tide;

import org.jspecify.annotations.NullMarked;
