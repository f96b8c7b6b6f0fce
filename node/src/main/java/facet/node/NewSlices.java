package facet.node;

import facet.doors.control.ControlException;
import facet.node.server.SliceServer;
import facet.slices.Placement;
import facet.slices.Slice;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Makes the slices of programs and of containers, whose names are as near as can be to what was
 * asked for. Waits a moment where a promise is about to be free.
 */
final class NewSlices {
    /** How long a program's slice may take to go when the program has ended. */
    private static final long GOING_NANOS = 2_000_000_000L;

    /** How long it takes at most to notice that a program has ended. */
    private static final long ENDING_NANOS = 300_000_000L;

    /** How many others are asked when one refuses what it seemed to have. */
    static final int MOST_NODES = 2;

    private final NodeSlices slices;

    NewSlices(NodeSlices slices) {
        this.slices = slices;
    }

    /** Done with a new slice before anybody else sees it; the monitor of the slices is held. */
    interface Then {
        void with(SliceServer server) throws IOException;
    }

    /** A slice for a program; when its name is taken it gets a number behind it. */
    SliceServer create(Slice wanted, String user) throws ControlException {
        return create(wanted, Optional.of(user), server -> {});
    }

    /**
     * @param user who has started the program that it goes with; empty: it goes with no program
     */
    SliceServer create(Slice wanted, Optional<String> user, Then then) throws ControlException {
        slices.placer().check(wanted);
        for (int i = 0; ; i++) {
            SliceServer made = createHere(wanted, user, then);
            try {
                made.settle();
                return made;
            } catch (IOException e) {
                slices.remove(made.slice().name());
                // Another node may have room; the one that refused comes behind it.
                if (wanted.devices().site().isNamed() || i == MOST_NODES) {
                    throw new ControlException(String.valueOf(e.getMessage()), e);
                }
            }
        }
    }

    private SliceServer createHere(Slice wanted, Optional<String> user, Then then)
            throws ControlException {
        long start = System.nanoTime();
        while (true) {
            synchronized (slices) {
                try {
                    return createNow(wanted, user, then);
                } catch (ControlException e) {
                    // A program that has just ended may not be known to have.
                    long patience = somebodyGoes() ? GOING_NANOS : ENDING_NANOS;
                    if (System.nanoTime() - start > patience) {
                        throw e;
                    }
                }
                try {
                    slices.wait(20);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new ControlException("the daemon is shutting down", e);
                }
            }
        }
    }

    private SliceServer createNow(Slice wanted, Optional<String> user, Then then)
            throws ControlException {
        Slice slice = wanted;
        for (int i = 2; slices.find(slice.name()).isPresent(); i++) {
            slice = wanted.withName(wanted.name() + "-" + i);
        }
        Placement.Placed placed = slices.placer().place(slice, Map.of(), List.of());
        try {
            SliceServer server = slices.open(placed.slice(), user);
            slices.remember(server.slice().name(), placed.why());
            try {
                then.with(server);
            } catch (IOException e) {
                slices.end(server);
                throw e;
            }
            return server;
        } catch (IOException e) {
            throw new ControlException("the slice cannot be made: " + e.getMessage(), e);
        }
    }

    /** Whether a promise may be free in a moment: a program has ended, its slice not yet. */
    private boolean somebodyGoes() {
        Instant now = Instant.now();
        return slices.all().stream()
                .anyMatch(each ->
                        slices.user(each.slice().name()).isPresent()
                                && each.slice().terms().promised(now) > 0
                                && each.sessions().isEmpty());
    }
}
