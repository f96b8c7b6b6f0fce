/**
 * Making room by moving: which jobs go elsewhere so that a request fits that does not. Only those
 * are moved that can move or restart. Pure; one thread at a time.
 */
@NullMarked
package facet.place.defrag;

import org.jspecify.annotations.NullMarked;
