package facet.node.container;

import facet.doors.control.ControlException;
import facet.doors.control.Operations;
import facet.doors.events.Events;
import facet.doors.events.Kind;
import facet.slices.Settings;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Gives a container that is about to start the slice that it wishes, or the kept one it joins. */
final class ContainerStarts {
    private static final int LONGEST_ID = 1024;

    private final KnownContainers known;
    private final Processes processes;
    private final ContainerSlices slices;
    private final ContainerRequest.Reader requests;
    private final Bounds bounds;
    private final SliceGrants grants;
    private final DirectContainers direct;
    private final Events events;

    ContainerStarts(
            KnownContainers known,
            Processes processes,
            ContainerSlices slices,
            ContainerRequest.Reader requests,
            Bounds bounds,
            SliceGrants grants,
            DirectContainers direct,
            Events events) {
        this.known = known;
        this.processes = processes;
        this.slices = slices;
        this.requests = requests;
        this.bounds = bounds;
        this.grants = grants;
        this.direct = direct;
        this.events = events;
    }

    /**
     * @param kept the slice that it joins
     * @return empty when it wants none
     */
    Optional<Operations.Made> start(String id, int pid, String config, Optional<String> kept)
            throws ControlException {
        if (id.isEmpty() || id.length() > LONGEST_ID) {
            throw new ControlException("a container's id has 1 to " + LONGEST_ID + " characters");
        }
        ContainerRequest request;
        try {
            request = requests.read(id, ContainerConfig.parse(config), kept);
        } catch (ControlException e) {
            throw refused(id, e);
        }
        if (request.isForNothing()) {
            return Optional.empty();
        }
        Incarnation process =
                processes
                        .find(pid)
                        .orElseThrow(() ->
                                new ControlException(
                                        "container '" + id + "': there is no process " + pid));
        while (true) {
            Container container = known.enter(id);
            synchronized (container) {
                if (container.isGone()) {
                    continue;
                }
                ContainerRecord record = container.record();
                if (record != null && !record.process().equals(process)) {
                    leave(container, record);
                    continue;
                }
                return Optional.of(
                        record != null
                                ? again(container, record, kept)
                                : begin(container, process, request));
            }
        }
    }

    /** The id is used again: that is fine when the container that had it has ended. */
    private void leave(Container container, ContainerRecord record) throws ControlException {
        if (known.lives(record)) {
            throw new ControlException(
                    "container '"
                            + record.id()
                            + "' has slice '"
                            + record.slice()
                            + "' already, for its process "
                            + record.process().pid());
        }
        known.end(container, "its process has ended");
    }

    private static Operations.Made again(
            Container container, ContainerRecord record, Optional<String> kept)
            throws ControlException {
        if (kept.isPresent() && !record.hasJoined(kept.get())) {
            throw new ControlException(
                    "container '"
                            + record.id()
                            + "' has slice '"
                            + record.slice()
                            + "' and cannot join '"
                            + kept.get()
                            + "' too; give it one of them");
        }
        Operations.Made made = container.made();
        if (made == null) {
            throw new ControlException(
                    "container '"
                            + record.id()
                            + "': its slice '"
                            + record.slice()
                            + "' could not be opened again; see the daemon's log");
        }
        return made;
    }

    private Operations.Made begin(
            Container container, Incarnation process, ContainerRequest request)
            throws ControlException {
        Optional<Wish> wish = request.wish();
        Optional<String> kept = request.kept();
        boolean begun = false;
        try {
            if (request.pod().isPresent()) {
                known.claim(request.pod().get(), container);
            }
            Settings settings =
                    kept.isPresent()
                            ? Settings.NONE
                            : bounds.grant(
                                    wish.orElseThrow().settings(), slices.wholeOfContainer());
            if (kept.isEmpty()) {
                // Refused here, and not when its programs look for the files.
                Optional<List<DeviceFile>> _ = direct.files(settings);
            }
            Operations.Made made =
                    kept.isPresent()
                            ? grants.join(kept.get(), wish)
                            : grants.make(request.name(), settings);
            ContainerRecord record =
                    new ContainerRecord(
                            container.id(),
                            process,
                            made.slice().name(),
                            kept.isPresent(),
                            kept.isPresent() ? settings : grants.granted(settings, made.slice()),
                            request.pod());
            container.begun(record, made);
            known.begun(container, record);
            if (container.isGone()) {
                throw new ControlException("its process has ended");
            }
            begun = true;
            events.add(
                    Kind.CONTAINER_STARTED,
                    made.slice().name(),
                    KnownContainers.who(container.id())
                            + " "
                            + SliceGrants.described(made.slice(), wish));
            return made;
        } catch (ControlException | IllegalArgumentException e) {
            throw refused(container.id(), e);
        } catch (IOException e) {
            throw refused(container.id(), new IOException("cannot be kept: " + e.getMessage(), e));
        } finally {
            if (!begun) {
                known.end(container, "is not started");
            }
        }
    }

    private static ControlException refused(String id, Exception why) {
        return new ControlException("container '" + id + "': " + why.getMessage(), why);
    }
}
