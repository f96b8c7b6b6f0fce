package facet.sim;

import facet.place.Gang;
import facet.place.Job;
import facet.place.Placer;
import facet.place.Policies;
import facet.place.queue.Dispatcher;
import facet.place.queue.Rules;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Tasks as their queues get them; those of a gang together. */
final class Submissions {
    private Submissions() {}

    /**
     * What no queue would take is wrong before anything runs.
     *
     * @throws TraceException when jobs of a gang differ in what they have to have in common, or ask
     *     for more than their queue may ever have
     */
    static void check(Trace trace) throws TraceException {
        Placer placer = new Placer(trace.cluster(), Policies.named("best-fit"), List.of(), 0);
        Dispatcher dispatcher = new Dispatcher(placer, trace.quotas(), Rules.PLAIN);
        Map<String, List<Job>> gangs = new TreeMap<>();
        try {
            for (Task each : trace.tasks()) {
                Job job = new Life(each).job;
                if (each.standing().gang().isEmpty()) {
                    dispatcher.submit(Gang.of(job), each.arrives());
                } else {
                    gangs.computeIfAbsent(each.standing().gang(), name -> new ArrayList<>())
                            .add(job);
                }
            }
            for (Map.Entry<String, List<Job>> each : gangs.entrySet()) {
                dispatcher.submit(gang(each.getKey(), each.getValue()), 0);
            }
        } catch (IllegalArgumentException e) {
            throw new TraceException("trace " + trace.name() + ": " + e.getMessage(), e);
        }
    }

    /** Named apart from tasks, which may be called the same. */
    static Gang gang(String name, List<Job> jobs) {
        return new Gang("gang " + name, jobs, Gang.FOREVER, Gang.Near.ANYWHERE);
    }
}
