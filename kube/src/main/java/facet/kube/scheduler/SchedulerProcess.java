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

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final SharedState state;
    private final ClusterWatch watch;
    private final BookKeeper keeper;
    private final Binder binder;
    private final Scheduler scheduler;
    private final PodNotes notes;
    private final Housekeeping housekeeping;
    private final SliceObjects slices;
    private final Log log;
    private final String name;
    private @Nullable Thread thread;

    public SchedulerProcess(
            KubernetesClient client, ScheduleSettings settings, Reader reader, Log log) {
        this.log = log;
        name = settings.name();
        state = new SharedState(new ClusterState(settings));
        watch = new ClusterWatch(state, log);
        keeper = new BookKeeper(new ClusterBooks(client), state::devices, watch::isGone, threads);
        binder = new Binder(client, keeper, threads, InstantSource.system());
        notes = new PodNotes(client, settings.name(), threads, log);
        scheduler = new Scheduler(settings.name(), state, binder, notes, reader, log);
        housekeeping = new Housekeeping(client, state, keeper, binder, log);
        slices = new SliceObjects(client, state, keeper, log);
        watch.open(client, new ClusterWatch.Listeners(this::pod, keeper::seen));
    }

    private void pod(Pod pod) {
        PodFacts facts = PodFacts.of(pod);
        if (facts.isBound() || facts.over() || !facts.scheduler().equals(name)) {
            notes.gone(facts.uid());
        } else {
            notes.waits(facts);
        }
        scheduler.pod(pod);
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
        } catch (RuntimeException e) {
            // What was not tidied is next time.
            log.warning("books", "not all was tidied: " + e);
        }
    }

    /** Whoever leads shows slices; binding comes first. */
    private void showSlices() {
        try {
            if (scheduler.isLeading() && state.ask(each -> each.waitingCount()) == 0) {
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
        if (running != null) {
            try {
                running.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        watch.close();
        threads.shutdownNow();
    }
}
