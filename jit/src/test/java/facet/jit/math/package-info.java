/** Checks every operation against exact arithmetic on BigInteger or the wording of the manual. */
@NullMarked
package facet.jit.math;

import org.jspecify.annotations.NullMarked;
