/** A daemon whose devices have memory that nobody can map. */
@NullMarked
package facet.system.tests.far;

import org.jspecify.annotations.NullMarked;
