/**
 * Days of clusters as others have described theirs, simulated: who asks how much at which hour is
 * an assumption written down here and in docs/placing.md; which device a service is on is decided
 * by {@link facet.place.Placer}, and who runs when on a device by {@link facet.sched.Board}, the
 * same as in a daemon. Everything depends on a seed alone.
 */
@NullMarked
package facet.sim.shape;

import org.jspecify.annotations.NullMarked;
