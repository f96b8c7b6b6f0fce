package facet.kube.scheduler;

import facet.kube.ledger.Book;
import facet.kube.ledger.BookKeeper;
import facet.kube.ledger.Entry;
import facet.kube.ledger.PodFacts;
import facet.log.Log;
import java.util.Optional;

/**
 * What nobody else does: lines in books of pods that are not bound, since whoever wrote them is no
 * more; books with lines of pods that are gone.
 */
public final class Housekeeping {
    private final SharedState state;
    private final BookKeeper keeper;
    private final Binder binder;
    private final Log log;

    public Housekeeping(SharedState state, BookKeeper keeper, Binder binder, Log log) {
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
    }
}
