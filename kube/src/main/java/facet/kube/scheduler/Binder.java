package facet.kube.scheduler;

import facet.kube.ledger.Assignment;
import facet.kube.ledger.BookKeeper;
import facet.kube.ledger.PodFacts;
import facet.kube.names.Names;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.net.HttpURLConnection;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Writes assignments into books and binds the pods. A binding holds for the very version of the pod
 * that the book names. So one that is late can be made void, by changing the pod ({@link #fence}),
 * and its line taken out of the book without anybody having a part twice.
 */
public final class Binder {
    private static final int MOST_ATTEMPTS = 6;

    /** What became of an assignment. */
    public enum Result {
        BOUND,
        /** Others had the room, or the pod changed too often: it may be tried again. */
        AGAIN,
        /** It is elsewhere, or is no more. */
        GONE
    }

    private final KubernetesClient client;
    private final BookKeeper keeper;
    private final ExecutorService threads;
    private final InstantSource clock;

    public Binder(
            KubernetesClient client,
            BookKeeper keeper,
            ExecutorService threads,
            InstantSource clock) {
        this.client = client;
        this.keeper = keeper;
        this.threads = threads;
        this.clock = clock;
    }

    /** All of them are in books before one is bound; or none is bound. In the order of the pods. */
    public CompletableFuture<List<Result>> begin(List<Assignment> pods) {
        List<CompletableFuture<Boolean>> written = pods.stream().map(this::write).toList();
        return all(written)
                .thenCompose(entered -> {
                    if (!entered.contains(false)) {
                        return all(pods.stream().map(this::bindLater).toList());
                    }
                    for (int i = 0; i < pods.size(); i++) {
                        if (entered.get(i)) {
                            // Nobody has tried to bind it: its line is not needed.
                            remove(pods.get(i));
                        }
                    }
                    return CompletableFuture.completedFuture(
                            pods.stream().map(_ -> Result.AGAIN).toList());
                });
    }

    private void remove(Assignment one) {
        keeper.remove(one.node(), one.pod().uid(), one.pod().version());
    }

    private CompletableFuture<Boolean> write(Assignment one) {
        return keeper.add(one.node(), one.entry(clock.instant().getEpochSecond()));
    }

    private static <T> CompletableFuture<List<T>> all(List<CompletableFuture<T>> futures) {
        return CompletableFuture.allOf(futures.toArray(CompletableFuture[]::new))
                .thenApply(_ -> futures.stream().map(CompletableFuture::join).toList());
    }

    private CompletableFuture<Result> bindLater(Assignment one) {
        return CompletableFuture.supplyAsync(() -> bind(one), threads);
    }

    private Result bind(Assignment first) {
        Assignment one = first;
        for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
            try {
                post(one);
                return Result.BOUND;
            } catch (KubernetesClientException e) {
                if (e.getCode() == HttpURLConnection.HTTP_NOT_FOUND) {
                    return gone(one);
                }
                pause(e.getCode() == HttpURLConnection.HTTP_CONFLICT ? 0 : attempt);
            }
            // It may be bound or not, and it may be another one: what is there says so.
            try {
                PodFacts now = read(one);
                if (now == null
                        || now.over()
                        || now.leaving()
                        || !now.uid().equals(one.pod().uid())) {
                    return gone(one);
                }
                if (now.isBound()) {
                    boolean ours =
                            now.node().equals(one.node()) && one.placed().equals(now.placed());
                    return ours ? Result.BOUND : gone(one);
                }
                one = one.with(now);
                if (!write(one).join()) {
                    return Result.AGAIN;
                }
            } catch (KubernetesClientException e) {
                pause(attempt);
            }
        }
        return giveUp(one);
    }

    private Result gone(Assignment one) {
        remove(one);
        return Result.GONE;
    }

    /** A binding may still be on its way; its line goes when it is certain that it is void. */
    private Result giveUp(Assignment one) {
        if (fence(one.pod())) {
            remove(one);
        }
        return Result.AGAIN;
    }

    /** Makes every binding void that was made for the pod as it is now; whether that is certain. */
    public boolean fence(PodFacts pod) {
        try {
            client.pods()
                    .inNamespace(pod.namespace())
                    .withName(pod.name())
                    .edit(each -> {
                        Map<String, String> annotations = new HashMap<>();
                        if (each.getMetadata().getAnnotations() != null) {
                            annotations.putAll(each.getMetadata().getAnnotations());
                        }
                        annotations.put(Names.FENCED, clock.instant().toString());
                        each.getMetadata().setAnnotations(annotations);
                        return each;
                    });
            PodFacts now = read(pod.namespace(), pod.name());
            return now == null || !now.uid().equals(pod.uid()) || !now.isBound();
        } catch (KubernetesClientException e) {
            return e.getCode() == HttpURLConnection.HTTP_NOT_FOUND;
        }
    }

    private @Nullable PodFacts read(Assignment one) {
        return read(one.pod().namespace(), one.pod().name());
    }

    private @Nullable PodFacts read(String namespace, String name) {
        Pod pod = client.pods().inNamespace(namespace).withName(name).get();
        return pod == null ? null : PodFacts.of(pod);
    }

    private void post(Assignment one) {
        PodFacts pod = one.pod();
        Map<String, Object> binding =
                Map.of(
                        "apiVersion",
                        "v1",
                        "kind",
                        "Binding",
                        "metadata",
                        Map.of(
                                "name", pod.name(),
                                "namespace", pod.namespace(),
                                "uid", pod.uid(),
                                "resourceVersion", pod.version(),
                                "annotations", AnnotationsOfOthers.with(one, clock)),
                        "target",
                        Map.of("apiVersion", "v1", "kind", "Node", "name", one.node()));
        client.raw(
                "/api/v1/namespaces/" + pod.namespace() + "/pods/" + pod.name() + "/binding",
                "POST",
                Serialization.asJson(binding));
    }

    private static void pause(int attempt) {
        try {
            TimeUnit.MILLISECONDS.sleep(attempt * 50L);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
