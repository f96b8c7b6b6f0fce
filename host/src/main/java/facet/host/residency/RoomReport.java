package facet.host.residency;

import java.util.List;

/**
 * What a process says about the room that it was lent.
 *
 * @param number of the last word about its room that it has carried out
 * @param holds bytes that it keeps
 * @param wants bytes that it must have in all for who waits there; 0 when nobody does
 * @param spare bytes of what it holds that it does not use
 * @param parts of the rest, those that could move out, in the order in which they would
 */
public record RoomReport(long number, long holds, long wants, long spare, List<Part> parts) {
    /** More of them are told as one. */
    public static final int MOST_PARTS = 64;

    public RoomReport {
        parts = List.copyOf(parts);
        if (parts.size() > MOST_PARTS) {
            throw new IllegalArgumentException(parts.size() + " parts of a room");
        }
    }

    /**
     * Memory of one context.
     *
     * @param working whether work of the context is under way
     * @param idleNanos how long ago the context began something
     * @param unusedNanos the same of these bytes
     * @param waits whether the context is the one that waits for room
     */
    public record Part(
            long bytes, boolean working, long idleNanos, long unusedNanos, boolean waits) {}
}
