/** Tests of the compiler as a whole. */
@NullMarked
package facet.jit;

import org.jspecify.annotations.NullMarked;
