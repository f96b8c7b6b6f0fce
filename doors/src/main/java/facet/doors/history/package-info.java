/**
 * The last hour, a sample a second: what devices did and what slices had of them. One thread
 * samples ({@link facet.doors.history.Sampler}); whoever is asked reads. The monitor of a {@link
 * facet.doors.history.History} is taken before those of slices and devices.
 */
@NullMarked
package facet.doors.history;

import org.jspecify.annotations.NullMarked;
