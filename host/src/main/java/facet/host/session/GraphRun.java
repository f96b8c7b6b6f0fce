package facet.host.session;

import facet.device.Context;
import facet.device.Stream;
import java.util.List;

/** One launch of a graph: gives its steps to the device, lane by lane, in their order. */
final class GraphRun implements Work {
    private final SessionGraph graph;
    private final List<GraphStep> steps;
    private final List<Work> work;
    private final List<LaunchWork> missing;
    private final List<SessionContext> others;

    /** Lanes that were given something, and those that got more since their end was last marked. */
    private int used = 1;

    private int unmarked = 1;

    /**
     * @param work of the steps, in their order
     */
    GraphRun(
            SessionGraph graph,
            List<GraphStep> steps,
            List<Work> work,
            List<LaunchWork> missing,
            List<SessionContext> others) {
        this.graph = graph;
        this.steps = steps;
        this.work = work;
        this.missing = missing;
        this.others = others;
    }

    /** Of all blocks: launches whose kernels are yet to be compiled. */
    List<LaunchWork> missing() {
        return missing;
    }

    /** Contexts whose memory it needs beside that of its own. */
    List<SessionContext> others() {
        return others;
    }

    @Override
    public Work settled(Context context) {
        graph.holds();
        List<Work> all = work.stream().map(each -> each.settled(context)).toList();
        return new GraphRun(graph, steps, all, missing, others);
    }

    /** Some of its steps may have been given. */
    @Override
    public boolean isWhole() {
        return false;
    }

    @Override
    public void over() {
        graph.heldIsOver();
    }

    @Override
    public void on(Stream stream) {
        stream.await(graph.last());
        try {
            graph.branches().forEach(each -> each.assign(stream));
            if (graph.isParallel()) {
                stream.record(graph.first());
            }
            for (int i = 0; i < steps.size(); i++) {
                GraphStep step = steps.get(i);
                Stream lane = begin(step, stream);
                Work action = work.get(i);
                if (!action.equals(GraphStep.NOTHING)) {
                    action.on(lane);
                    unmarked |= 1 << step.lane();
                }
            }
        } finally {
            // Also when the device has refused a step: what was begun elsewhere belongs to it.
            for (int lane = 1; lane < SessionGraph.LANES; lane++) {
                if ((used & 1 << lane) != 0) {
                    join(stream, lane, stream);
                }
            }
            stream.record(graph.last());
        }
    }

    /** The stream of the step's lane, which waits for what comes before. */
    private Stream begin(GraphStep step, Stream stream) {
        Stream lane = graph.lane(step.lane(), stream);
        int waits = step.waits() & used & ~(1 << step.lane());
        if ((used & 1 << step.lane()) == 0) {
            used |= 1 << step.lane();
            unmarked |= 1 << step.lane();
            if (waits == 0) {
                lane.await(graph.first());
            }
        }
        for (int other = 0; waits != 0; other++, waits >>>= 1) {
            if ((waits & 1) != 0) {
                join(lane, other, stream);
            }
        }
        return lane;
    }

    /** A stream waits for all that a lane was given so far. */
    private void join(Stream waiting, int lane, Stream stream) {
        if ((unmarked & 1 << lane) != 0) {
            graph.lane(lane, stream).record(graph.tail(lane));
            unmarked &= ~(1 << lane);
        }
        waiting.await(graph.tail(lane));
    }
}
