package facet.bench.place;

import facet.bench.Figure;
import facet.bench.Measurement;
import facet.bench.Options;
import facet.bench.Table;
import facet.place.Gang;
import facet.place.Job;
import facet.place.Placer;
import facet.place.Policies;
import facet.place.queue.Decision;
import facet.place.queue.Dispatcher;
import facet.sim.RuleSets;
import facet.sim.Task;
import facet.sim.Trace;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * What it costs to ask a dispatcher what is to be done, on a full cluster: tasks of the trace come,
 * others leave, urgent ones make others leave who come again.
 */
public final class Decisions implements Measurement {
    private static final double MOST_MILLIS = 3;
    private static final int WAITING = 200;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    @Override
    public String name() {
        return "decisions";
    }

    @Override
    public String about() {
        return "how long a decision takes on a full cluster, by what is done for those that wait";
    }

    @Override
    public Table measure(Options options) throws Exception {
        Trace trace = OpenTraces.read(options.traces(), OpenTraces.DEFAULT);
        int events = options.quick() ? 4_000 : 20_000;
        Table table =
                new Table(name(), about())
                        .column("rules", "rules")
                        .column("nodes", "nodes")
                        .column("running", "running")
                        .column("waiting", "waiting")
                        .column("preempted", "preempted")
                        .column("p50_us", "p50 µs")
                        .column("p99_us", "p99 µs")
                        .column("preempting_p50_us", "p50 µs with preemption")
                        .column("preempting_p99_us", "p99 µs with preemption")
                        .column("slowest_us", "slowest µs");
        for (String rules : List.of("plain", "reserve", "preempt")) {
            // The first half is for the compiler.
            Run run = new Run(trace, rules, events);
            run.events(events / 2);
            run.forget();
            run.events(events);
            row(table, run);
        }
        return table;
    }

    private static void row(Table table, Run run) {
        double p99 = percentile(run.nanos, run.count, 99);
        Map<String, Object> row = table.row();
        row.put("rules", run.rules);
        row.put("nodes", run.dispatcher.ledger().cluster().nodes());
        row.put("running", run.running.size());
        row.put("waiting", run.dispatcher.waiting());
        row.put("preempted", run.preempted);
        row.put("p50_us", percentile(run.nanos, run.count, 50));
        row.put("p99_us", p99);
        row.put("preempting_p50_us", percentile(run.preempting, run.preemptingCount, 50));
        row.put("preempting_p99_us", percentile(run.preempting, run.preemptingCount, 99));
        row.put("slowest_us", percentile(run.nanos, run.count, 100));
        if (run.rules.equals("preempt")) {
            Figure.atMost(table, "p99 of decisions with preemption", p99 / 1e3, MOST_MILLIS, " ms");
        }
    }

    private static double percentile(long[] nanos, int count, int percent) {
        long[] sorted = Arrays.copyOf(nanos, count);
        Arrays.sort(sorted);
        return count == 0 ? 0 : sorted[(int) ((count - 1) * (long) percent / 100)] / 1e3;
    }

    private static final class Run {
        final String rules;
        final Dispatcher dispatcher;
        final List<Integer> running = new ArrayList<>();
        final List<Task> tasks;
        final SplittableRandom random = new SplittableRandom(1);
        final long[] nanos;
        final long[] preempting;
        int count;
        int preemptingCount;
        int preempted;
        long now;
        int names;

        Run(Trace trace, String rules, int most) {
            this.rules = rules;
            tasks = trace.tasks();
            nanos = new long[most];
            preempting = new long[most];
            Placer placer =
                    new Placer(trace.cluster(), Policies.named(Policies.OURS), trace.requests(), 1);
            dispatcher = new Dispatcher(placer, trace.quotas(), RuleSets.named(rules));
            while (dispatcher.waiting() < WAITING) {
                arrive();
                decide();
            }
        }

        void forget() {
            count = 0;
            preemptingCount = 0;
            preempted = 0;
        }

        void events(int number) {
            for (int i = 0; i < number; i++) {
                now++;
                if (dispatcher.waiting() < WAITING) {
                    arrive();
                } else {
                    leave(random.nextInt(running.size()));
                }
                int before = preempted;
                // What this thread had of a core: other work on the machine does not count.
                long start = THREADS.getCurrentThreadCpuTime();
                List<Decision> decisions = dispatcher.decide(now);
                long took = THREADS.getCurrentThreadCpuTime() - start;
                carryOut(decisions);
                nanos[count++] = took;
                if (preempted > before) {
                    preempting[preemptingCount++] = took;
                }
            }
        }

        private void decide() {
            carryOut(dispatcher.decide(now));
        }

        private void arrive() {
            Task task = tasks.get(random.nextInt(tasks.size()));
            var standing = task.standing();
            var stay = new Job.Stay(task.duration(), standing.leaving(), standing.grace());
            String name = task.name() + "." + names++;
            submit(new Job(name, task.request(), standing.queue(), standing.priority(), stay));
        }

        private void submit(Job job) {
            dispatcher.submit(Gang.of(job), now);
        }

        private void leave(int index) {
            int ticket = running.get(index);
            running.set(index, running.getLast());
            running.removeLast();
            dispatcher.left(ticket);
        }

        private void carryOut(List<Decision> decisions) {
            for (Decision each : decisions) {
                switch (each) {
                    case Decision.Start start -> running.add(start.place().ticket());
                    case Decision.Evict evict -> {
                        preempted++;
                        leave(running.indexOf(evict.ticket()));
                        submit(evict.job());
                    }
                    case Decision.Move move -> {
                        leave(running.indexOf(move.ticket()));
                        running.add(move.to().ticket());
                    }
                    case Decision.Spare ignored -> {}
                    case Decision.GiveUp gone ->
                            throw new IllegalStateException(gone.gang().name() + " gave up");
                }
            }
        }
    }
}
