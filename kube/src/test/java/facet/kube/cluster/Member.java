package facet.kube.cluster;

/** A program of the control plane. */
public enum Member {
    ETCD("etcd"),
    API_SERVER("kube-apiserver"),
    SCHEDULER("kube-scheduler"),
    CONTROLLER_MANAGER("kube-controller-manager"),
    KWOK("kwok");

    private final String program;

    Member(String program) {
        this.program = program;
    }

    public String program() {
        return program;
    }
}
