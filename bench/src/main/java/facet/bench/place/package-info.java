/**
 * Placing on traces of clusters: how much of the devices is put to use, and what a decision costs.
 * All of it runs on the main thread.
 */
@NullMarked
package facet.bench.place;

import org.jspecify.annotations.NullMarked;
