/**
 * Which request goes on which device of a cluster. {@link facet.place.Placer} is the pipeline:
 * filter, score, choose, explain. Everything here is a function of what it is told: no clock, no
 * thread, no I/O. Whoever calls it sees to it that one thread does so at a time.
 */
@NullMarked
package facet.place;

import org.jspecify.annotations.NullMarked;
