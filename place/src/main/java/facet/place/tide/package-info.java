/**
 * Pools whose nodes change hands by the hour: inference by day, training by night. Nodes are
 * drained before, so that what runs there ends by itself where it can. Everything here is a
 * function of what it is told: no clock, no thread, no I/O.
 */
@NullMarked
package facet.place.tide;

import org.jspecify.annotations.NullMarked;
