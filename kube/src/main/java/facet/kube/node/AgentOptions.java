package facet.kube.node;

import java.nio.file.Path;
import java.util.List;

/**
 * Where an agent finds the others.
 *
 * @param node its name in the cluster
 * @param daemon runtime directory of facetd
 * @param kubelet the kubelet's directory
 * @param cdiFolder where files of the Container Device Interface are read
 * @param hook facet-hook, as the container runtime sees it
 * @param runtime who creates containers: containerd or cri-o
 * @param resources what the node announces, as {@code NAME=COUNT}
 * @param driver name of the driver for claims
 */
public record AgentOptions(
        String node,
        Path daemon,
        Path kubelet,
        Path cdiFolder,
        Path hook,
        String runtime,
        List<String> resources,
        String driver) {
    public AgentOptions {
        resources = List.copyOf(resources);
    }

    public Path pluginFolder() {
        return kubelet.resolve("device-plugins");
    }

    public Path podResources() {
        return kubelet.resolve("pod-resources/kubelet.sock");
    }
}
