package facet.doors.control;

import facet.slices.Settings;
import java.util.List;
import java.util.Map;

/** What the agent of a cluster says: which container of which pod has which slice. */
public interface PodOperations {
    /**
     * A container of a pod, as the cluster knows it.
     *
     * @param pod its uid
     */
    record PodContainer(String pod, String container) {}

    /**
     * From now on containers of pods have what was placed for them, and nothing that they ask for
     * themselves.
     *
     * @param runtime containerd or cri-o: whose annotations say which pod a container belongs to;
     *     none: pods are containers like others
     */
    void managePods(String runtime) throws ControlException;

    /**
     * What a container shall have when it is created. One that runs has it at once.
     *
     * @param name namespace and name of the pod, for people
     */
    Change placePod(PodContainer which, String name, Settings settings) throws ControlException;

    /** Containers of it that run keep their slices. False when nothing was placed for it. */
    boolean forgetPod(String pod) throws ControlException;

    /** What is placed, a row for each container. */
    List<Map<String, Object>> pods();

    /** As in {@link #managePods}. */
    String podsManagedBy();
}
