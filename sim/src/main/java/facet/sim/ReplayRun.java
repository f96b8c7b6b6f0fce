package facet.sim;

import facet.place.Cluster;
import facet.place.Gang;
import facet.place.Job;
import facet.place.Placer;
import facet.place.Policy;
import facet.place.queue.Decision;
import facet.place.queue.Dispatcher;
import facet.place.tide.Step;
import facet.place.tide.Tide;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/** The loop over the times at which something happens. */
final class ReplayRun {
    private static final int POINTS = 200;

    /** Seconds that a move takes; the task has both places meanwhile. */
    private static final long MOVE = 10;

    /** Somebody leaves a place, unless it is not there any more. */
    private record Departure(long time, int ticket, long begin) {}

    private final Trace trace;
    private final Policy policy;
    private final String rules;
    private final long seed;
    private final Cluster cluster;
    private final Dispatcher dispatcher;
    private final Course course;
    private final PriorityQueue<Departure> departures =
            new PriorityQueue<>(
                    Comparator.comparingLong(Departure::time).thenComparingInt(Departure::ticket));
    private final Map<String, Life> lives = new HashMap<>();

    /** Who has a ticket, and since which beginning: tickets are used again. */
    private final Map<Integer, Life> running = new HashMap<>();

    private final Map<Integer, Long> beginnings = new HashMap<>();

    /** Tickets of tasks that were told to leave. */
    private final Map<Integer, Long> told = new HashMap<>();

    private final Map<String, Integer> missing = new HashMap<>();
    private final Map<String, List<Life>> gangs = new HashMap<>();

    /** How many of a gang were told to leave, and are there yet. */
    private final Map<String, Integer> leaving = new HashMap<>();

    private long begins;
    private long now;
    private int preemptions;
    private int moves;
    private double lost;
    private double ran;

    /** Thousandths of devices that those who wait ask for. */
    private long waiting;

    private double busySeconds;
    private double usedSeconds;

    private final List<Failures.Change> changes;
    private final Turning turning;
    private int nextChange;
    private int failures;

    /** When something ran last. */
    private long idleSince;

    ReplayRun(Trace trace, Policy policy, String rules, Failures failing, long seed) {
        this.trace = trace;
        this.policy = policy;
        this.rules = rules;
        this.seed = seed;
        cluster = trace.cluster();
        Placer placer = new Placer(cluster, policy, trace.requests(), seed);
        dispatcher = new Dispatcher(placer, trace.quotas(), RuleSets.named(rules));
        changes = failing.of(trace, seed);
        turning = new Turning(trace.calendar(), dispatcher.ledger());
        course = Course.of(trace, cluster.capacity(), POINTS);
    }

    Replay result() {
        List<Task> tasks =
                trace.tasks().stream()
                        .sorted(Comparator.comparingLong(Task::arrives).thenComparing(Task::name))
                        .toList();
        for (Task each : tasks) {
            missing.merge(each.standing().gang(), 1, Integer::sum);
        }
        int next = 0;
        now = tasks.isEmpty() ? 0 : tasks.getFirst().arrives();
        while (next < tasks.size()
                || !departures.isEmpty()
                || nextChange < changes.size()
                || turnsForWaiting()) {
            long time = departures.isEmpty() ? Long.MAX_VALUE : departures.peek().time();
            time = next < tasks.size() ? Math.min(time, tasks.get(next).arrives()) : time;
            time =
                    nextChange < changes.size()
                            ? Math.min(time, changes.get(nextChange).time())
                            : time;
            passTo(Math.min(time, turning.next(now)));
            while (!departures.isEmpty() && departures.peek().time() == now) {
                depart(departures.remove());
            }
            for (;
                    nextChange < changes.size() && changes.get(nextChange).time() == now;
                    nextChange++) {
                change(changes.get(nextChange));
            }
            for (; next < tasks.size() && tasks.get(next).arrives() == now; next++) {
                arrive(new Life(tasks.get(next)));
            }
            turn();
            carryOut(dispatcher.decide(now));
        }
        dispatcher.ledger().audit();
        return replay();
    }

    /** Whether a turn of the tide may bring room for those who wait; for two days at most. */
    private boolean turnsForWaiting() {
        idleSince = running.isEmpty() ? idleSince : now;
        return turning.next(now) != Long.MAX_VALUE
                && dispatcher.waiting() > 0
                && now - idleSince < 2 * Tide.DAY;
    }

    private void turn() {
        IntToLongFunction ends =
                ticket -> {
                    Life life = running.get(ticket);
                    return life == null ? now : life.end;
                };
        for (Step.Evict each : turning.decide(now, ends)) {
            Life life = running.get(each.ticket());
            if (life != null && told.put(each.ticket(), each.deadline()) == null) {
                leaving.merge(life.task.standing().gang(), 1, Integer::sum);
            }
            leaveAt(each.ticket(), each.deadline());
        }
    }

    private Replay replay() {
        long[] waits = waits(Integer.MIN_VALUE);
        return new Replay(
                trace.name(),
                policy.name(),
                rules,
                seed,
                cluster.nodes(),
                Waits.percentile(waits, 50),
                Waits.percentile(waits, 99),
                Arrays.stream(waits).average().orElse(0),
                Waits.percentile(waits(highest()), 99),
                busySeconds == 0 ? 0 : 100 * usedSeconds / busySeconds,
                (int) lives.values().stream().filter(ReplayRun::hasWaited).count(),
                never(),
                preemptions,
                moves,
                failures,
                ran == 0 ? 0 : 100 * lost / ran,
                turning.result(),
                classes(),
                Course.percentiles(waits),
                course.points());
    }

    /** Of those who began, with at least that priority; the shortest first. */
    private long[] waits(int priority) {
        return lives.values().stream()
                .filter(each -> each.hasBegun && each.job.priority() >= priority)
                .mapToLong(each -> each.waited)
                .sorted()
                .toArray();
    }

    private List<Waits> classes() {
        TreeMap<Integer, List<Waits.Wait>> all = new TreeMap<>(Comparator.reverseOrder());
        for (Life each : lives.values()) {
            if (each.hasBegun) {
                all.computeIfAbsent(each.job.priority(), priority -> new ArrayList<>())
                        .add(new Waits.Wait(each.waited, each.task.request().demand()));
            }
        }
        return all.entrySet().stream()
                .map(each -> Waits.of(each.getKey(), each.getValue()))
                .toList();
    }

    private int highest() {
        return lives.values().stream().mapToInt(each -> each.job.priority()).max().orElse(0);
    }

    private static boolean hasWaited(Life life) {
        return !life.hasBegun || life.waited > 0;
    }

    private int never() {
        return (int) lives.values().stream().filter(each -> !each.hasBegun).count();
    }

    private void passTo(long time) {
        if (cluster.used() + waiting >= cluster.capacity()) {
            busySeconds += time - now;
            usedSeconds += (double) (time - now) * cluster.used() / cluster.capacity();
        }
        course.pass(now, time, cluster.used(), waiting);
        now = time;
    }

    private void arrive(Life life) {
        lives.put(life.task.name(), life);
        String gang = life.task.standing().gang();
        waiting += life.task.request().demand();
        if (gang.isEmpty()) {
            dispatcher.submit(Gang.of(life.job), now);
            return;
        }
        List<Life> all = gangs.computeIfAbsent(gang, each -> new ArrayList<>());
        all.add(life);
        if (all.size() == missing.getOrDefault(gang, 0)) {
            List<Job> jobs = all.stream().map(each -> each.job).toList();
            gangs.remove(gang);
            dispatcher.submit(
                    new Gang("gang " + gang, jobs, Gang.FOREVER, Gang.Near.ANYWHERE), now);
        }
    }

    private void depart(Departure departure) {
        int ticket = departure.ticket();
        if (beginnings.getOrDefault(ticket, -1L) != departure.begin()) {
            return;
        }
        Life there = running.get(ticket);
        boolean leaves = told.containsKey(ticket);
        if (there != null && now < there.end && !leaves) {
            // It was told to leave, and spared.
            return;
        }
        beginnings.remove(ticket);
        told.remove(ticket);
        Life life = running.remove(ticket);
        turning.leaves(ticket, life != null && now >= life.end);
        dispatcher.left(ticket);
        if (life == null) {
            return;
        }
        double work = (double) life.task.request().demand() * (now - life.began);
        ran += work;
        if (leaves && now < life.end) {
            preemptions++;
            lost += work;
            life.waitsSince = now;
            waiting += life.task.request().demand();
            if (life.task.standing().gang().isEmpty()) {
                dispatcher.submit(Gang.of(life.job), life.task.arrives());
            } else {
                gangs.computeIfAbsent(life.task.standing().gang(), each -> new ArrayList<>())
                        .add(life);
            }
        }
        if (leaves) {
            gatherAgain(life.task.standing().gang());
        }
    }

    private void change(Failures.Change change) {
        if (!change.fails()) {
            cluster.open(change.node());
            return;
        }
        failures++;
        Set<String> broken = new LinkedHashSet<>();
        for (int ticket : dispatcher.ledger().on(change.node())) {
            Life life = lose(ticket);
            if (life != null && life.task.standing().gang().isEmpty()) {
                dispatcher.submit(Gang.of(life.job), life.task.arrives());
            } else if (life != null) {
                broken.add(life.task.standing().gang());
                gangs.computeIfAbsent(life.task.standing().gang(), each -> new ArrayList<>())
                        .add(life);
            }
        }
        cluster.close(change.node());
        broken.forEach(this::beginAnew);
    }

    /** A gang of which some are lost: the others have nobody to work with. */
    private void beginAnew(String gang) {
        for (int ticket : new TreeSet<>(running.keySet())) {
            Life life = running.get(ticket);
            if (life != null && life.task.standing().gang().equals(gang)) {
                Life lost = lose(ticket);
                if (lost != null) {
                    gangs.computeIfAbsent(gang, each -> new ArrayList<>()).add(lost);
                }
            }
        }
        leaving.put(gang, 1);
        gatherAgain(gang);
    }

    /** What a ticket stands for is gone, and with it what was done so far. */
    private @Nullable Life lose(int ticket) {
        beginnings.remove(ticket);
        told.remove(ticket);
        Life life = running.remove(ticket);
        turning.leaves(ticket, false);
        dispatcher.left(ticket);
        if (life != null) {
            double work = (double) life.task.request().demand() * (now - life.began);
            ran += work;
            lost += work;
            life.waitsSince = now;
            waiting += life.task.request().demand();
        }
        return life;
    }

    /** Those of a gang that were made to leave begin anew together, when the last one has left. */
    private void gatherAgain(String gang) {
        List<Life> gone = gangs.getOrDefault(gang, List.of());
        if (gang.isEmpty() || leaving.merge(gang, -1, Integer::sum) > 0 || gone.isEmpty()) {
            return;
        }
        List<Job> jobs = gone.stream().map(each -> each.job).toList();
        long since = gone.stream().mapToLong(each -> each.task.arrives()).max().orElse(now);
        gangs.remove(gang);
        dispatcher.submit(new Gang("gang " + gang, jobs, Gang.FOREVER, Gang.Near.ANYWHERE), since);
    }

    private void carryOut(List<Decision> decisions) {
        for (Decision each : decisions) {
            switch (each) {
                case Decision.Start start -> begin(start);
                case Decision.Evict evict -> {
                    if (told.put(evict.ticket(), evict.deadline()) == null) {
                        leaving.merge(life(evict.job()).task.standing().gang(), 1, Integer::sum);
                    }
                    leaveAt(evict.ticket(), evict.deadline());
                }
                case Decision.Spare spare -> {
                    if (!turning.isTold(spare.ticket()) && told.remove(spare.ticket()) != null) {
                        gatherAgain(life(spare.job()).task.standing().gang());
                    }
                }
                case Decision.Move move -> move(move);
                case Decision.GiveUp gone ->
                        throw new IllegalStateException(gone.gang().name() + " waits for ever");
            }
        }
    }

    private void begin(Decision.Start start) {
        Life life = life(start.job());
        long wait = now - life.waitsSince;
        life.waited += wait;
        life.hasBegun = true;
        life.began = now;
        life.end = now + life.task.duration();
        waiting -= life.task.request().demand();
        stay(start.place().ticket(), life);
    }

    private Life life(Job job) {
        Life life = lives.get(job.name());
        if (life == null) {
            throw new IllegalStateException("'" + job.name() + "' was never there");
        }
        return life;
    }

    private void stay(int ticket, Life life) {
        running.put(ticket, life);
        beginnings.put(ticket, ++begins);
        leaveAt(ticket, life.end);
    }

    private void leaveAt(int ticket, long time) {
        departures.add(new Departure(time, ticket, beginnings.getOrDefault(ticket, -1L)));
    }

    /** It stands still for as long as it moves. */
    private void move(Decision.Move move) {
        moves++;
        Life life = life(move.job());
        life.end += MOVE;
        running.remove(move.ticket());
        beginnings.put(move.ticket(), ++begins);
        leaveAt(move.ticket(), now + MOVE);
        stay(move.to().ticket(), life);
    }
}
