package facet.kube.scheduler;

import facet.kube.ledger.BookKeeper;
import facet.kube.ledger.ClusterBooks;
import facet.kube.ledger.ClusterState;
import facet.kube.ledger.PodFacts;
import facet.kube.ledger.ScheduleSettings;
import facet.kube.names.Reader;
import facet.log.Log;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.InstantSource;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** All that schedules pods in one process: watches, books, binder, the thread that decides. */
public final class SchedulerProcess implements AutoCloseable {
    private static final long TIDY_SECONDS = 10;
    private static final long PATIENCE_SECONDS = 30;
    private static final long SHOWN_SECONDS = 2;
    private static final long MOST_TO_END_SECONDS = 10;

    /**
     * Requests of each kind that are under way at a time. The apiserver answers no faster when more
     * come at once, and every one of them more is a connection more, with its handshake. Books have
     * threads of their own: who binds may wait for a book.
     */
    private static final int MOST_REQUESTS = 16;

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final ExecutorService bookThreads = some("books");
    private final ExecutorService bindThreads = some("binds");
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final SharedState state;
    private final ClusterWatch watch;
    private final BookKeeper keeper;
    private final Binder binder;
    private final Scheduler scheduler;
    private final PodNotes notes;
    private final Housekeeping housekeeping;
    private final SliceObjects slices;
    private final PoolObjects pools;
    private final QueueObjects queues;
    private final Log log;
    private final String name;
    private @Nullable Thread thread;

    public SchedulerProcess(
            KubernetesClient client, ScheduleSettings settings, Reader reader, Log log) {
        this.log = log;
        name = settings.name();
        state = new SharedState(new ClusterState(settings));
        watch = new ClusterWatch(state, log);
        keeper =
                new BookKeeper(
                        new ClusterBooks(client), state::devices, watch::isGone, bookThreads);
        binder = new Binder(client, keeper, bindThreads, InstantSource.system());
        notes = new PodNotes(client, settings.name(), threads, log);
        scheduler = new Scheduler(settings.name(), state, binder, notes, reader, log);
        housekeeping = new Housekeeping(state, keeper, binder, log);
        slices = new SliceObjects(client, state, keeper, log);
        pools = new PoolObjects(client, state, InstantSource.system(), log);
        queues = new QueueObjects(client, state, log);
        watch.open(client, new ClusterWatch.Listeners(this::pod, keeper::seen));
    }

    private static ExecutorService some(String name) {
        return Executors.newFixedThreadPool(MOST_REQUESTS, Thread.ofVirtual().name(name).factory());
    }

    private void pod(Pod pod, PodFacts facts) {
        if (facts.isBound() || facts.over() || !facts.scheduler().equals(name)) {
            notes.gone(facts.uid());
        } else {
            notes.waits(facts);
        }
        scheduler.pod(pod, facts);
    }

    /** Pods that name it are scheduled from now on, while it leads. */
    public void start() {
        thread = Thread.ofPlatform().name("scheduler").start(scheduler);
        var _ =
                timer.scheduleWithFixedDelay(
                        this::tidy, TIDY_SECONDS, TIDY_SECONDS, TimeUnit.SECONDS);
        var _ =
                timer.scheduleWithFixedDelay(
                        this::showSlices, SHOWN_SECONDS, SHOWN_SECONDS, TimeUnit.SECONDS);
    }

    public void leads(boolean does) {
        scheduler.leads(does);
    }

    private void tidy() {
        try {
            housekeeping.run(PATIENCE_SECONDS);
            if (scheduler.isLeading()) {
                pools.run();
                queues.run();
            }
        } catch (RuntimeException e) {
            // What was not tidied is next time.
            log.warning("books", "not all was tidied: " + e);
        }
    }

    /** Whoever leads shows slices; binding comes first. */
    private void showSlices() {
        try {
            if (scheduler.isLeading() && scheduler.isAtRest()) {
                slices.run();
            }
        } catch (RuntimeException e) {
            log.warning("slices", "not all slices are shown: " + e);
        }
    }

    public Scheduler scheduler() {
        return scheduler;
    }

    public SharedState state() {
        return state;
    }

    public Binder binder() {
        return binder;
    }

    @Override
    public void close() {
        scheduler.stop();
        timer.shutdownNow();
        Thread running = thread;
        try {
            // What is under way ends while there still is a client.
            var _ = timer.awaitTermination(MOST_TO_END_SECONDS, TimeUnit.SECONDS);
            if (running != null) {
                running.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        watch.close();
        bindThreads.shutdownNow();
        bookThreads.shutdownNow();
        threads.shutdownNow();
    }
}
