package facet.host.session;

import java.util.function.Supplier;

/**
 * One step of a graph.
 *
 * @param lane steps of a lane run one after the other
 * @param waits bits of other lanes: what these were given before comes first
 * @param units what it counts in {@link InFlight}
 * @param objects what it counts in the tally of its slice
 * @param kernels how many kernels it launches
 * @param work looks up what the step names, when a launch begins; throws when that is gone
 */
record GraphStep(int lane, int waits, int units, int objects, int kernels, Supplier<Work> work) {

    static final Work NOTHING = stream -> {};
}
