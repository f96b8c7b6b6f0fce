package facet.kube.ledger;

/**
 * A pod, and what it gets where. It has its place in this process' ledger already.
 *
 * @param aliyunDevice the number of its device, of a pod that asks by Aliyun's names; else empty
 */
public record Assignment(PodFacts pod, String node, Placed placed, String aliyunDevice) {
    /**
     * @param time seconds since 1970
     */
    public Entry entry(long time) {
        return new Entry(pod.uid(), pod.namespace(), pod.name(), pod.version(), time, placed);
    }

    /** The same for the pod as it is by now. */
    public Assignment with(PodFacts other) {
        return new Assignment(other, node, placed, aliyunDevice);
    }
}
