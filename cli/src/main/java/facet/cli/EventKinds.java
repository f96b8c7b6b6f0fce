package facet.cli;

import java.util.ArrayList;
import java.util.List;

/** What can happen, as the daemon calls it; for completion, and to find what is misspelt. */
final class EventKinds extends ArrayList<String> {
    private static final long serialVersionUID = 1L;

    static final List<String> ALL =
            List.of(
                    "daemon-started",
                    "daemon-stopping",
                    "slice-created",
                    "slice-changed",
                    "slice-deleted",
                    "container-started",
                    "container-ended",
                    "session-opened",
                    "session-ended",
                    "fault",
                    "memory-moved",
                    "node-connected",
                    "node-lost",
                    "node-empty",
                    "refused",
                    "left-out");

    EventKinds() {
        super(ALL);
    }
}
