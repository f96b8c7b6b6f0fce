package facet.node.container;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import facet.doors.control.ControlException;
import facet.doors.control.Json;
import facet.doors.control.PodOperations.PodContainer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * What a cluster's agent has placed for pods of this node, and who creates their containers. It is
 * written down: who starts the daemon again must not open the node to what pods ask for themselves.
 */
public final class PodPlacements {
    /** More than any kubelet runs. */
    private static final int MOST = 10_000;

    private static final JsonMapper MAPPER = new JsonMapper();

    private final Path file;
    private final Map<PodContainer, PodPlacement> placements = new LinkedHashMap<>();
    private PodRuntime runtime = PodRuntime.NONE;

    /**
     * @param file where it is written down, or will be
     */
    PodPlacements(Path file) {
        this.file = file;
    }

    /** As the daemon before this one has left it. */
    synchronized void restore() throws IOException {
        try {
            JsonNode root = MAPPER.readTree(Files.readString(file));
            runtime = PodRuntime.parse(root.path("by").asText());
            for (JsonNode each : root.path("pods")) {
                PodPlacement one = PodPlacement.of(each);
                placements.put(one.which(), one);
            }
        } catch (NoSuchFileException e) {
            // Nobody has placed anything.
        } catch (ControlException | IllegalArgumentException e) {
            throw new IOException(
                    file + " cannot be read; remove it, and the cluster's agent makes it anew", e);
        }
    }

    public synchronized void manage(String by) throws ControlException {
        PodRuntime next = PodRuntime.parse(by);
        PodRuntime before = runtime;
        if (next == before) {
            return;
        }
        runtime = next;
        try {
            save();
        } catch (ControlException e) {
            runtime = before;
            throw e;
        }
    }

    public synchronized String managedBy() {
        return runtime.text();
    }

    synchronized PodRuntime runtime() {
        return runtime;
    }

    synchronized void put(PodPlacement placement) throws ControlException {
        PodPlacement before = placements.get(placement.which());
        if (placement.equals(before)) {
            return;
        }
        if (before == null && placements.size() >= MOST) {
            throw new ControlException(
                    "there are " + MOST + " containers of pods; forget some that are gone");
        }
        placements.put(placement.which(), placement);
        try {
            save();
        } catch (ControlException e) {
            if (before == null) {
                placements.remove(placement.which());
            } else {
                placements.put(placement.which(), before);
            }
            throw e;
        }
        notifyAll();
    }

    /** False when there was nothing of it. */
    public synchronized boolean forget(String pod) throws ControlException {
        Map<PodContainer, PodPlacement> before = new LinkedHashMap<>(placements);
        boolean removed = placements.keySet().removeIf(each -> each.pod().equals(pod));
        if (removed) {
            try {
                save();
            } catch (ControlException e) {
                placements.putAll(before);
                throw e;
            }
        }
        return removed;
    }

    synchronized List<PodPlacement> all() {
        return List.copyOf(placements.values());
    }

    synchronized Optional<PodPlacement> find(PodContainer which) {
        return Optional.ofNullable(placements.get(which));
    }

    /** The agent may be a moment behind the kubelet. */
    synchronized Optional<PodPlacement> await(PodContainer which, Duration longest) {
        long end = System.nanoTime() + longest.toNanos();
        try {
            while (!placements.containsKey(which)) {
                long rest = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
                if (rest <= 0) {
                    break;
                }
                wait(rest);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return find(which);
    }

    /** Who is killed in the middle leaves the old one or the new one. */
    private void save() throws ControlException {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("by", runtime.text());
        all.put("pods", placements.values().stream().map(PodPlacement::row).toList());
        Path next = file.resolveSibling(file.getFileName() + ".new");
        try {
            Files.writeString(next, Json.line(all) + "\n");
            Files.move(
                    next,
                    file,
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new ControlException("it cannot be kept: " + e.getMessage(), e);
        }
    }
}
