/**
 * The oracle for addresses: random kernels of memory accesses against a slow checker that says what
 * is inside and what is read, with a pattern around all memory that must stay as it is.
 */
@NullMarked
package facet.jit.access;

import org.jspecify.annotations.NullMarked;
