/** Tests of what generated code calls. */
@NullMarked
package facet.jit.runtime;

import org.jspecify.annotations.NullMarked;
