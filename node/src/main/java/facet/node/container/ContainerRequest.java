package facet.node.container;

import facet.doors.control.ControlException;
import facet.doors.control.PodOperations.PodContainer;
import java.time.Duration;
import java.util.Optional;

/**
 * What a container that is about to start shall have, and who says so: the container itself, the
 * cluster that has placed its pod, or the one who lets it join a kept slice.
 *
 * @param name what its slice is called
 */
record ContainerRequest(
        Optional<Wish> wish, Optional<String> kept, Optional<PodContainer> pod, String name) {
    boolean isForNothing() {
        return wish.isEmpty() && kept.isEmpty();
    }

    /** Reads them. */
    static final class Reader {
        private final PodPlacements pods;
        private final ContainerSlices slices;
        private final Duration patience;

        /**
         * @param patience how long a container of a pod waits for what is placed for it
         */
        Reader(PodPlacements pods, ContainerSlices slices, Duration patience) {
            this.pods = pods;
            this.slices = slices;
            this.patience = patience;
        }

        ContainerRequest read(String id, ContainerConfig config, Optional<String> kept)
                throws ControlException {
            PodRuntime runtime = pods.runtime();
            Optional<PodContainer> pod = config.pod(runtime);
            String name = SliceGrants.nameOf(id);
            if (kept.isPresent() && pod.isPresent()) {
                // What its environment asks for is not the cluster's word.
                return new ContainerRequest(Optional.empty(), kept, Optional.empty(), name);
            }
            if (pod.isEmpty()) {
                return new ContainerRequest(ownWish(config), kept, Optional.empty(), name);
            }
            Optional<PodPlacement> placed =
                    config.isPlaced() ? pods.await(pod.get(), patience) : pods.find(pod.get());
            if (placed.isEmpty() && config.isPlaced()) {
                throw new ControlException(
                        "nothing is placed on this node for container '"
                                + pod.get().container()
                                + "' of pod "
                                + pod.get().pod()
                                + "; is Facet's agent running here, and was the pod bound by"
                                + " one of Facet's schedulers?");
            }
            return new ContainerRequest(
                    placed.map(PodPlacement::wish),
                    kept,
                    placed.map(PodPlacement::which),
                    placed.map(PodPlacement::sliceName).orElse(name));
        }

        /** Whether it will be for something; does not wait. */
        boolean isPossible(ContainerConfig config) throws ControlException {
            PodRuntime runtime = pods.runtime();
            Optional<PodContainer> pod = config.pod(runtime);
            if (pod.isPresent()) {
                return config.isPlaced() || pods.find(pod.get()).isPresent();
            }
            return ownWish(config).isPresent();
        }

        /** What it asks for itself; nothing where it is a pod's, for which the cluster speaks. */
        Optional<Wish> ownWish(ContainerConfig config) throws ControlException {
            return config.isOfPod(pods.runtime())
                    ? Optional.empty()
                    : config.wish(slices.devices());
        }
    }
}
