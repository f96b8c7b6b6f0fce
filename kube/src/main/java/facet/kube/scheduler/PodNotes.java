package facet.kube.scheduler;

import facet.kube.ledger.Assignment;
import facet.kube.ledger.PodFacts;
import facet.log.Log;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Semaphore;
import java.util.function.UnaryOperator;

/**
 * Says on pods why they wait and who took their place: events, as {@code kubectl describe} shows
 * them. They are few a second; binding comes first, so that what is not told now is told later.
 */
public final class PodNotes {
    private static final long AGAIN = 60_000;
    private static final int MOST_A_FLUSH = 10;
    private static final int MOST_KNOWN = 20_000;
    private static final int MOST_TEXT = 1000;

    private record Told(String text, long time) {}

    private final KubernetesClient client;
    private final String scheduler;
    private final ExecutorService threads;
    private final Log log;
    private final Semaphore underWay = new Semaphore(16);
    private final Map<String, PodFacts> waiting = new LinkedHashMap<>();
    private final Map<String, Told> told = new ConcurrentHashMap<>();

    public PodNotes(KubernetesClient client, String scheduler, ExecutorService threads, Log log) {
        this.client = client;
        this.scheduler = scheduler;
        this.threads = threads;
        this.log = log;
    }

    /** It waits; why is asked when it is told. */
    public void waits(PodFacts pod) {
        synchronized (waiting) {
            waiting.put(pod.uid(), pod);
        }
    }

    public void gone(String uid) {
        synchronized (waiting) {
            waiting.remove(uid);
        }
        told.remove(uid);
    }

    void bound(Assignment one) {
        gone(one.pod().uid());
    }

    /**
     * @param reason why a pod waits, by its uid; empty: nothing to tell yet
     */
    void flush(UnaryOperator<String> reason) {
        List<PodFacts> some;
        synchronized (waiting) {
            some = waiting.values().stream().limit(MOST_A_FLUSH).toList();
            // The next ones come first next time.
            some.forEach(each -> waiting.remove(each.uid()));
            some.forEach(each -> waiting.put(each.uid(), each));
        }
        for (PodFacts each : some) {
            String text = reason.apply(each.uid());
            if (!text.isEmpty()) {
                tell(each, text);
            }
        }
    }

    /** A warning on the pod, unless it was told just now. */
    public void tell(PodFacts pod, String text) {
        long now = System.currentTimeMillis();
        Told before = told.get(pod.uid());
        boolean known =
                before != null
                        && now - before.time() < (before.text().equals(text) ? AGAIN : AGAIN / 10);
        if (known || told.size() > MOST_KNOWN || !underWay.tryAcquire()) {
            return;
        }
        told.put(pod.uid(), new Told(text, now));
        threads.execute(() -> {
            try {
                event(pod, "FailedScheduling", "Warning", text);
            } finally {
                underWay.release();
            }
        });
    }

    /** Ends a pod, with its grace: others have more right to its place. */
    void evict(PodFacts pod, String forWhom) {
        threads.execute(() -> {
            event(pod, "Preempted", "Normal", "it leaves its place to " + forWhom);
            try {
                client.pods()
                        .inNamespace(pod.namespace())
                        .withName(pod.name())
                        .withGracePeriod(pod.grace())
                        .delete();
            } catch (KubernetesClientException e) {
                log.warning("scheduler", pod.path() + " could not be ended: " + e.getMessage());
            }
        });
    }

    private void event(PodFacts pod, String reason, String type, String text) {
        String now = Instant.ofEpochSecond(System.currentTimeMillis() / 1000).toString();
        try {
            client.v1()
                    .events()
                    .inNamespace(pod.namespace())
                    .resource(
                            new EventBuilder()
                                    .withNewMetadata()
                                    .withGenerateName(prefix(pod.name()))
                                    .withNamespace(pod.namespace())
                                    .endMetadata()
                                    .withInvolvedObject(
                                            new ObjectReferenceBuilder()
                                                    .withApiVersion("v1")
                                                    .withKind("Pod")
                                                    .withName(pod.name())
                                                    .withNamespace(pod.namespace())
                                                    .withUid(pod.uid())
                                                    .build())
                                    .withReason(reason)
                                    .withType(type)
                                    .withMessage(
                                            text.substring(0, Math.min(text.length(), MOST_TEXT)))
                                    .withFirstTimestamp(now)
                                    .withLastTimestamp(now)
                                    .withCount(1)
                                    .withReportingComponent(scheduler)
                                    .withReportingInstance(scheduler)
                                    .withNewSource()
                                    .withComponent(scheduler)
                                    .endSource()
                                    .build())
                    .create();
        } catch (KubernetesClientException e) {
            log.debug("scheduler", "no event for " + pod.path() + ": " + e.getMessage());
        }
    }

    private static String prefix(String name) {
        return name.substring(0, Math.min(name.length(), 50)).replaceAll("[.-]+$", "") + ".";
    }
}
