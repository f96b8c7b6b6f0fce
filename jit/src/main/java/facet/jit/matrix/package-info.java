/**
 * Matrices that the threads of a warp hold together: where their elements lie in registers, and how
 * they are multiplied. Runs once for a warp, on the thread that runs its block; all of it is a
 * function of arrays.
 */
@NullMarked
package facet.jit.matrix;

import org.jspecify.annotations.NullMarked;
