/**
 * What it costs that a device is in another machine. {@link facet.bench.pool.Nodes} puts two nodes
 * together: a daemon with a device, and slices of a node without one, in this process, with a
 * network of a given kind between them. The programs are those that users would start.
 */
@NullMarked
package facet.bench.pool;

import org.jspecify.annotations.NullMarked;
