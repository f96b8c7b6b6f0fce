/**
 * The escape matrix: every way to get more of a device than a slice allows, tried by real programs
 * on a daemon that runs, from one process and from several at once. Each trial runs in the thread
 * of its caller; trials of different slices may run side by side.
 */
@NullMarked
package facet.bench.escape;

import org.jspecify.annotations.NullMarked;
