@NullMarked
package facet.place;

import org.jspecify.annotations.NullMarked;
