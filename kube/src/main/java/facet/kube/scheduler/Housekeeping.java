package facet.kube.scheduler;

import facet.kube.ledger.Book;
import facet.kube.ledger.BookKeeper;
import facet.kube.ledger.Entry;
import facet.kube.ledger.PodFacts;
import facet.kube.names.Names;
import facet.log.Log;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What nobody else does: lines in books of pods that are not bound, since whoever wrote them is no
 * more; books with lines of pods that are gone; nodes that are to go to another pool and are empty.
 */
public final class Housekeeping {
    private final KubernetesClient client;
    private final SharedState state;
    private final BookKeeper keeper;
    private final Binder binder;
    private final Log log;

    public Housekeeping(
            KubernetesClient client, SharedState state, BookKeeper keeper, Binder binder, Log log) {
        this.client = client;
        this.state = state;
        this.keeper = keeper;
        this.binder = binder;
        this.log = log;
    }

    /**
     * @param patience seconds after which a line is nobody's that is bound to nothing
     */
    public void run(long patience) {
        long now = System.currentTimeMillis() / 1000;
        for (Book book : state.ask(each -> each.books())) {
            for (Entry each : book.entries().values()) {
                Optional<PodFacts> pod = state.ask(to -> to.known(each.uid()));
                boolean waits = pod.isPresent() && !pod.get().isBound() && !pod.get().over();
                if (waits && now - each.time() > patience && binder.fence(pod.get())) {
                    log.info(
                            "books",
                            pod.get().path()
                                    + " was to go to node "
                                    + book.node()
                                    + ", and nobody bound it; its place is free");
                    keeper.remove(book.node(), each.uid(), each.version());
                }
            }
            keeper.tidy(book.node());
        }
        state.ask(each -> List.copyOf(each.nodes().values())).stream()
                .filter(each -> !each.nextPool().isEmpty())
                .filter(each -> state.ask(to -> to.isIdle(each.name())))
                .forEach(each -> move(each.name(), each.nextPool()));
    }

    /** The node takes what comes in its new pool. */
    private void move(String node, String pool) {
        try {
            client.nodes()
                    .withName(node)
                    .edit(each -> {
                        Map<String, String> labels = new HashMap<>();
                        if (each.getMetadata().getLabels() != null) {
                            labels.putAll(each.getMetadata().getLabels());
                        }
                        labels.put(Names.POOL, pool);
                        each.getMetadata().setLabels(labels);
                        each.getMetadata().getAnnotations().remove(Names.NEXT_POOL);
                        return each;
                    });
            log.info("pools", "node " + node + " is in pool " + pool);
        } catch (KubernetesClientException e) {
            log.warning("pools", "node " + node + " stays where it is: " + e.getMessage());
        }
    }
}
