@NullMarked
package facet.place.queue;

import org.jspecify.annotations.NullMarked;
