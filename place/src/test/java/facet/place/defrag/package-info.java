@NullMarked
package facet.place.defrag;

import org.jspecify.annotations.NullMarked;
