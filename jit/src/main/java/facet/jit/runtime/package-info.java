/**
 * What generated code calls and runs on: blocks, memory access, atomics, warp operations.
 *
 * <p>A {@link facet.jit.runtime.Block} belongs to one worker thread at a time; nothing in it is
 * synchronised. {@link facet.jit.runtime.Grid} is immutable and shared by all workers of a launch.
 */
@NullMarked
package facet.jit.runtime;

import org.jspecify.annotations.NullMarked;
