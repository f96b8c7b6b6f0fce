/**
 * What a slice costs a container when it starts, and whether containers get what they were
 * promised, {@code ./facet bench containers}. Each measurement has a daemon, a file system of a few
 * files and a state folder of runc of its own. All of it runs on the main thread.
 */
@NullMarked
package facet.bench.containers;

import org.jspecify.annotations.NullMarked;
