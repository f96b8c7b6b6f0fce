package facet.kube.ledger;

import java.util.List;

/** What is to be done now. */
public sealed interface Outcome {
    /** These begin together: all are written into books before any of them is bound. */
    record Begin(List<Assignment> pods) implements Outcome {}

    /**
     * A pod has to leave.
     *
     * @param forWhom who gets its place
     */
    record Evict(PodFacts pod, String forWhom) implements Outcome {}
}
