package facet.kube.ledger;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a pod, or a claim, has on a node, and who says so. It ends when nobody does. */
final class Holding {
    final String uid;
    final String node;

    /** Nothing: processors and memory alone. */
    @Nullable Placed placed;

    /** The node's book says so. */
    boolean inBook;

    /** The pod itself is there, or the claim. */
    boolean there;

    /** It was decided here, and is on its way. */
    boolean ours;

    /** In the ledger of the fleet, none: there was no room, and its node takes nothing. */
    final List<Integer> tickets = new ArrayList<>();

    /** Whether the dispatcher knows the tickets. */
    boolean dispatched;

    /** Whether it counts among the pods of its node. */
    boolean counted;

    Holding(String uid, String node) {
        this.uid = uid;
        this.node = node;
    }

    boolean isOver() {
        return !inBook && !there && !ours;
    }
}
