package facet.kube.plugin;

import facet.kube.kubelet.KubeletSocket;
import facet.kube.node.PodProblems;
import facet.kubelet.podresources.ContainerResources;
import facet.kubelet.podresources.ListPodResourcesRequest;
import facet.kubelet.podresources.ListPodResourcesResponse;
import facet.kubelet.podresources.PodResourcesListerGrpc;
import io.fabric8.kubernetes.api.model.Pod;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Compares what the kubelet has given to containers with what was placed: a container that has one
 * of our resources and no placement was bound by somebody who does not know of slices, and does not
 * start. Its pod is told why.
 */
public final class PodResources implements AutoCloseable {
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long PATIENCE_SECONDS = 5;

    private final Path socket;
    private final Set<String> resources;
    private final PodProblems problems;
    private final KubeletSocket kubelet;
    private long next = System.nanoTime();

    /**
     * @param resources names of ours
     */
    public PodResources(Path socket, Set<String> resources, PodProblems problems) {
        this.socket = socket;
        this.resources = resources;
        this.problems = problems;
        kubelet = KubeletSocket.to(socket);
    }

    /** Now and then. */
    public void compare(List<Pod> pods) throws IOException {
        if (System.nanoTime() - next < 0 || !Files.exists(socket)) {
            return;
        }
        next = System.nanoTime() + PAUSE_NANOS;
        Map<String, Pod> known = new HashMap<>();
        pods.forEach(each ->
                known.put(
                        each.getMetadata().getNamespace() + "/" + each.getMetadata().getName(),
                        each));
        ListPodResourcesResponse answer;
        try {
            answer =
                    PodResourcesListerGrpc.newBlockingStub(kubelet.channel())
                            .withDeadlineAfter(PATIENCE_SECONDS, TimeUnit.SECONDS)
                            .list(ListPodResourcesRequest.getDefaultInstance());
        } catch (StatusRuntimeException e) {
            throw new IOException("the kubelet does not say what containers have: " + e, e);
        }
        answer.getPodResourcesList()
                .forEach(each -> {
                    Pod pod = known.get(each.getNamespace() + "/" + each.getName());
                    if (pod != null && !isPlaced(pod)) {
                        each.getContainersList().stream()
                                .filter(this::hasOurs)
                                .forEach(container -> tell(pod, container.getName()));
                    }
                });
    }

    private boolean hasOurs(ContainerResources container) {
        return container.getDevicesList().stream()
                .anyMatch(each -> resources.contains(each.getResourceName()));
    }

    private static boolean isPlaced(Pod pod) {
        Map<String, String> annotations = pod.getMetadata().getAnnotations();
        return annotations != null && annotations.containsKey("facet.dev/placement");
    }

    private void tell(Pod pod, String container) {
        problems.tell(
                pod,
                "container '"
                        + container
                        + "' has a device of this node but no placement: the pod was bound by a"
                        + " scheduler that knows of no slices. Give it to facet-scheduler, or to"
                        + " one that asks Facet's extender");
    }

    @Override
    public void close() {
        kubelet.close();
    }
}
