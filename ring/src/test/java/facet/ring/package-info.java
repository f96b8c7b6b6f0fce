/** Tests of rings, reply slots and session memory; random ones print their seed. */
@NullMarked
package facet.ring;

import org.jspecify.annotations.NullMarked;
