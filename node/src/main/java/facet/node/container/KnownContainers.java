package facet.node.container;

import facet.doors.control.ControlException;
import facet.doors.control.PodOperations.PodContainer;
import facet.doors.events.Events;
import facet.doors.events.Kind;
import facet.log.Log;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * The containers that have slices, as long as they live: each ends with its first process, or when
 * somebody says so, and its slice with it. They are taken over from one daemon to the next.
 */
final class KnownContainers {
    private final ContainerFiles files;
    private final Processes processes;
    private final ContainerSlices slices;
    private final SliceGrants grants;
    private final Events events;
    private final Log log;
    private final Map<String, Container> containers = new ConcurrentHashMap<>();
    private final Map<PodContainer, Container> ofPods = new ConcurrentHashMap<>();

    KnownContainers(
            ContainerFiles files,
            Processes processes,
            ContainerSlices slices,
            SliceGrants grants,
            Events events,
            Log log) {
        this.files = files;
        this.processes = processes;
        this.slices = slices;
        this.grants = grants;
        this.events = events;
        this.log = log;
    }

    /** That of an id, which may have no slice yet. */
    Container enter(String id) {
        return containers.computeIfAbsent(id, Container::new);
    }

    Optional<Container> find(String id) {
        return Optional.ofNullable(containers.get(id));
    }

    /** Those of which something is written down that suits. */
    List<Container> find(Predicate<ContainerRecord> which) {
        return containers.values().stream()
                .filter(each -> {
                    ContainerRecord record = each.record();
                    return record != null && which.test(record);
                })
                .toList();
    }

    static String who(String id) {
        return "container " + (id.length() > 64 ? id.substring(0, 64) + "…" : id);
    }

    // ---- containers of pods

    /**
     * Of a pod's container there is one at a time: who comes while it lives is another one. Whoever
     * claims holds the container's monitor.
     */
    void claim(PodContainer pod, Container container) throws ControlException {
        Container other = ofPods.putIfAbsent(pod, container);
        if (other == null || other == container) {
            return;
        }
        ContainerRecord record = other.record();
        if (record == null || lives(record) || !ofPods.replace(pod, other, container)) {
            throw new ControlException(
                    "container '"
                            + pod.container()
                            + "' of pod "
                            + pod.pod()
                            + " runs already, as "
                            + who(other.id()));
        }
    }

    /** The one that is that of a pod, where it runs. */
    Optional<Container> find(PodContainer pod) {
        return Optional.ofNullable(ofPods.get(pod));
    }

    // ---- from one daemon to the next

    /** Takes over those that the daemon before this one had and that still live. */
    void restore() throws IOException {
        for (ContainerRecord each :
                files.load((file, why) ->
                        log.error("containers", file + " is left out: " + why.getMessage()))) {
            Container container = enter(each.id());
            synchronized (container) {
                restore(container, each);
            }
        }
    }

    private void restore(Container container, ContainerRecord record) throws IOException {
        container.begun(record, null);
        record.pod().ifPresent(pod -> ofPods.put(pod, container));
        if (!lives(record)) {
            end(container, "ended while there was no daemon");
            return;
        }
        try {
            container.begun(record, grants.again(record));
        } catch (IOException | ControlException | IllegalArgumentException e) {
            log.error(
                    who(record.id()),
                    "its slice "
                            + record.slice()
                            + " cannot be opened again, and its programs find no device: "
                            + e.getMessage());
        }
        watch(container, record);
    }

    /** Whether its first process is there. */
    boolean lives(ContainerRecord record) {
        return processes.find(record.process().pid()).equals(Optional.of(record.process()));
    }

    // ---- until it ends

    /** Its slice is there: writes it down, and waits for the end of its process. */
    void begun(Container container, ContainerRecord record) throws IOException {
        files.save(record);
        watch(container, record);
    }

    private void watch(Container container, ContainerRecord record) {
        try {
            container.watched(
                    processes.watch(
                            record.process(),
                            () ->
                                    Thread.ofPlatform()
                                            .name("facet-container-end")
                                            .daemon()
                                            .start(() -> end(container, "its process has ended"))));
        } catch (IOException e) {
            end(container, String.valueOf(e.getMessage()));
        }
    }

    /**
     * Leaves nothing of it.
     *
     * @return false when it had no slice, or has ended already
     */
    boolean end(Container container, String why) {
        synchronized (container) {
            if (container.isGone()) {
                return false;
            }
            container.end();
            ContainerRecord record = container.record();
            if (record != null) {
                // The file first: a folder without one is removed by the next daemon.
                try {
                    files.delete(record.id());
                } catch (IOException e) {
                    log.error(who(record.id()), "its file cannot be removed: " + e.getMessage());
                }
                removeSlice(record);
                events.add(Kind.CONTAINER_ENDED, record.slice(), who(record.id()) + ": " + why);
            }
            containers.remove(container.id(), container);
            ofPods.values().removeIf(each -> each == container);
            return record != null;
        }
    }

    private void removeSlice(ContainerRecord record) {
        if (!record.joined()) {
            slices.remove(record.slice());
        } else if (find(each -> !record.equals(each) && each.hasJoined(record.slice())).isEmpty()) {
            slices.unmount(record.slice());
        }
    }
}
