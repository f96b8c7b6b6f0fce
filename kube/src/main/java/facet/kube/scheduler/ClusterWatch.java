package facet.kube.scheduler;

import facet.kube.ledger.Book;
import facet.kube.ledger.BookKeeper;
import facet.kube.ledger.ClusterBooks;
import facet.kube.ledger.Entry;
import facet.kube.ledger.NodeFacts;
import facet.kube.ledger.PodFacts;
import facet.kube.ledger.QueueFacts;
import facet.log.Log;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Tells a {@link SharedState} what happens in the cluster, for as long as it is open. */
public final class ClusterWatch implements AutoCloseable {
    private static final long AGAIN = 0;

    private final List<SharedIndexInformer<?>> informers = new ArrayList<>();
    private final SharedState state;
    private final Log log;
    private @Nullable SharedIndexInformer<Pod> pods;

    /** What else is to know. */
    public record Listeners(Consumer<Pod> pods, Consumer<Book> books) {}

    public ClusterWatch(SharedState state, Log log) {
        this.state = state;
        this.log = log;
    }

    /** Returns when all that is there is known. */
    public void open(KubernetesClient client, Listeners listeners) {
        // Queues and nodes come before pods: what is on them is entered once, not again and again.
        watch(
                client.genericKubernetesResources(Queues.CONTEXT).runnableInformer(AGAIN),
                each -> {
                    QueueFacts queue = Queues.read(each);
                    state.change(to -> to.queue(queue));
                },
                each -> state.change(to -> to.queueGone(each.getMetadata().getName())));
        watch(
                client.nodes().runnableInformer(AGAIN),
                (Node each) -> {
                    NodeFacts node = NodeFacts.of(each);
                    state.change(to -> to.node(node));
                },
                each -> state.change(to -> to.nodeGone(each.getMetadata().getName())));
        watch(
                client.genericKubernetesResources(ClusterBooks.CONTEXT).runnableInformer(AGAIN),
                (GenericKubernetesResource each) -> {
                    Book book = ClusterBooks.of(each);
                    listeners.books().accept(book);
                    state.change(to -> to.book(book));
                },
                each -> state.change(to -> to.book(Book.empty(each.getMetadata().getName()))));
        pods =
                watch(
                        client.pods().inAnyNamespace().runnableInformer(AGAIN),
                        (Pod each) -> {
                            PodFacts pod = PodFacts.of(each);
                            state.change(to -> to.pod(pod));
                            listeners.pods().accept(each);
                        },
                        each -> state.change(to -> to.forget(each.getMetadata().getUid())));
        watch(
                client.resources(ResourceClaim.class).inAnyNamespace().runnableInformer(AGAIN),
                each -> state.change(to -> Claims.enter(to, each)),
                each -> state.change(to -> to.claimGone(each.getMetadata().getUid())));
    }

    private <T extends HasMetadata> SharedIndexInformer<T> watch(
            SharedIndexInformer<T> informer, Consumer<T> there, Consumer<T> gone) {
        informer.addEventHandler(
                new ResourceEventHandler<T>() {
                    @Override
                    public void onAdd(T one) {
                        tell(there, one);
                    }

                    @Override
                    public void onUpdate(T old, T one) {
                        tell(there, one);
                    }

                    @Override
                    public void onDelete(T one, boolean finalStateUnknown) {
                        tell(gone, one);
                    }
                });
        // A watch that ends begins anew: nobody is to be left with what was true once.
        informer.exceptionHandler((isStarted, failure) -> {
            log.warning("watch", "a watch of the cluster ended: " + failure.getMessage());
            return true;
        });
        informers.add(informer);
        informer.start().toCompletableFuture().join();
        return informer;
    }

    /** What cannot be read is its writer's mistake, and harms nobody else. */
    private <T extends HasMetadata> void tell(Consumer<T> whom, T one) {
        try {
            whom.accept(one);
        } catch (IllegalArgumentException e) {
            log.warning(
                    "watch",
                    one.getKind() + " " + one.getMetadata().getName() + ": " + e.getMessage());
        }
    }

    /**
     * Whether the pod of an entry is certainly no more, has ended, or is certainly on another node.
     * One that is not known is gone only if what is known is newer than the pod was.
     */
    public boolean isGone(String node, Entry entry) {
        PodFacts pod = state.ask(each -> each.known(entry.uid())).orElse(null);
        if (pod != null) {
            return pod.over() || pod.isBound() && !pod.node().equals(node);
        }
        SharedIndexInformer<Pod> known = pods;
        String seen = known == null ? null : known.lastSyncResourceVersion();
        return seen != null
                && !entry.version().isEmpty()
                && (seen.equals(entry.version()) || BookKeeper.isNewer(seen, entry.version()));
    }

    @Override
    public void close() {
        informers.forEach(SharedIndexInformer::stop);
    }

    Map<String, Boolean> running() {
        Map<String, Boolean> all = new TreeMap<>();
        informers.forEach(
                each -> all.put(each.getApiTypeClass().getSimpleName(), each.isWatching()));
        return all;
    }
}
