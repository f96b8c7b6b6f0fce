@NullMarked
package facet.place.preempt;

import org.jspecify.annotations.NullMarked;
