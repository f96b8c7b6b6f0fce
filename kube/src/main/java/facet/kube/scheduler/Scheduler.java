package facet.kube.scheduler;

import facet.kube.ledger.Assignment;
import facet.kube.ledger.NodeChoice;
import facet.kube.ledger.Outcome;
import facet.kube.ledger.PodFacts;
import facet.kube.names.Family;
import facet.kube.names.NamesException;
import facet.kube.names.PodWish;
import facet.kube.names.Reader;
import facet.log.Log;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The one thread that decides. Pods that came since the last time are taken in small numbers, so
 * that binds are under way while the next ones are decided.
 */
public final class Scheduler implements Runnable {
    private static final int MOST_AT_ONCE = 128;
    private static final int MOST_UNDER_WAY = 512;
    private static final long TICK = 500;

    /** A pod that waits for less than that is not worth telling. */
    private static final long WORTH_TELLING = 2000;

    private final String name;
    private final SharedState state;
    private final Binder binder;
    private final PodNotes notes;
    private final Reader reader;
    private final Log log;
    private final Semaphore underWay = new Semaphore(MOST_UNDER_WAY);
    private final Map<String, Pod> arrivals = new LinkedHashMap<>();
    private final Map<String, Long> since = new ConcurrentHashMap<>();
    private final Set<String> evicted = new HashSet<>();
    private final AtomicBoolean open = new AtomicBoolean(true);
    private final AtomicBoolean leads = new AtomicBoolean();
    private final AtomicLong bound = new AtomicLong();
    private final AtomicLong conflicts = new AtomicLong();

    public Scheduler(
            String name, SharedState state, Binder binder, PodNotes notes, Reader reader, Log log) {
        this.name = name;
        this.state = state;
        this.binder = binder;
        this.notes = notes;
        this.reader = reader;
        this.log = log;
    }

    /** Whether it is the one of its name that decides; others only watch. */
    public void leads(boolean does) {
        leads.set(does);
        state.change(_ -> {});
    }

    public boolean isLeading() {
        return leads.get();
    }

    public void stop() {
        open.set(false);
        state.change(_ -> {});
    }

    /** How many pods it has bound. */
    public long bound() {
        return bound.get();
    }

    /** How often others were faster. */
    public long conflicts() {
        return conflicts.get();
    }

    /** A pod as it is now; whether it is ours to schedule is found out here. */
    public void pod(Pod pod) {
        PodFacts facts = PodFacts.of(pod);
        boolean ours =
                facts.scheduler().equals(name)
                        && !facts.isBound()
                        && !facts.over()
                        && !facts.leaving()
                        && !facts.gated();
        synchronized (arrivals) {
            if (ours) {
                arrivals.put(facts.uid(), pod);
            } else {
                arrivals.remove(facts.uid());
            }
        }
        if (!ours) {
            since.remove(facts.uid());
        }
    }

    @Override
    public void run() {
        try {
            while (open.get()) {
                if (!leads.get()) {
                    state.await(TICK);
                    continue;
                }
                boolean more = take();
                carryOut(state.ask(each -> each.decide(System.currentTimeMillis())));
                notes.flush(this::reason);
                if (!more) {
                    state.await(TICK);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Lets some wait that came; whether there are more. */
    private boolean take() {
        List<Pod> some = new ArrayList<>();
        boolean more;
        synchronized (arrivals) {
            var all = arrivals.values().iterator();
            while (all.hasNext() && some.size() < MOST_AT_ONCE) {
                some.add(all.next());
                all.remove();
            }
            more = !arrivals.isEmpty();
        }
        for (Pod each : some) {
            take(each);
        }
        return more;
    }

    private void take(Pod pod) {
        PodFacts facts = PodFacts.of(pod);
        since.putIfAbsent(facts.uid(), System.currentTimeMillis());
        try {
            PodWish wish = reader.read(pod);
            if (wish.isEmpty()) {
                notes.tell(
                        facts,
                        "it asks for no part of a GPU by a name that this cluster accepts ("
                                + Family.text(reader.families())
                                + "); leave out schedulerName, or say what it wants");
                return;
            }
            NodeChoice choice = NodeChoice.of(pod.getSpec());
            String trouble = state.ask(each -> each.await(facts, wish, choice));
            if (!trouble.isEmpty()) {
                notes.tell(facts, trouble);
            }
        } catch (NamesException | IllegalArgumentException e) {
            notes.tell(facts, String.valueOf(e.getMessage()));
        }
    }

    private String reason(String uid) {
        Long waits = since.get(uid);
        boolean worth = waits != null && System.currentTimeMillis() - waits > WORTH_TELLING;
        return worth ? state.ask(each -> each.awaits(uid) ? each.explain(uid) : "") : "";
    }

    private void carryOut(List<Outcome> outcomes) throws InterruptedException {
        for (Outcome each : outcomes) {
            switch (each) {
                case Outcome.Begin(List<Assignment> pods) -> begin(pods);
                case Outcome.Evict(PodFacts pod, String forWhom) -> {
                    if (evicted.add(pod.uid())) {
                        log.info("scheduler", pod.path() + " leaves for " + forWhom);
                        notes.evict(pod, forWhom);
                    }
                }
            }
        }
        if (evicted.size() > MOST_UNDER_WAY) {
            evicted.removeIf(uid -> state.ask(each -> each.known(uid).isEmpty()));
        }
    }

    private void begin(List<Assignment> pods) throws InterruptedException {
        int permits = Math.min(pods.size(), MOST_UNDER_WAY);
        underWay.acquire(permits);
        var _ =
                binder.begin(pods)
                        .whenComplete((results, failure) -> {
                            underWay.release(permits);
                            if (failure != null) {
                                log.error("scheduler", "a bind failed: " + failure);
                            }
                            ended(pods, results);
                        });
    }

    private void ended(List<Assignment> pods, @Nullable List<Binder.Result> results) {
        for (int i = 0; i < pods.size(); i++) {
            Assignment one = pods.get(i);
            Binder.Result result = results == null ? Binder.Result.AGAIN : results.get(i);
            switch (result) {
                case BOUND -> {
                    bound.incrementAndGet();
                    since.remove(one.pod().uid());
                    notes.bound(one);
                }
                case AGAIN -> {
                    conflicts.incrementAndGet();
                    state.change(each -> each.failed(one.pod().uid(), one.node()));
                }
                case GONE -> state.change(each -> each.lost(one.pod().uid(), one.node()));
            }
        }
    }
}
