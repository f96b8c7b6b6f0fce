package facet.kube.ledger;

/** A pod, and what it gets where. It has its place in this process' ledger already. */
public record Assignment(PodFacts pod, String node, Placed placed) {
    /**
     * @param time seconds since 1970
     */
    public Entry entry(long time) {
        return new Entry(pod.uid(), pod.namespace(), pod.name(), pod.version(), time, placed);
    }
}
