package facet.kube.node;

import io.fabric8.kubernetes.api.model.Pod;

/** Told of pods of the node that cannot have what they were promised. */
public interface PodProblems {
    void tell(Pod pod, String why);
}
