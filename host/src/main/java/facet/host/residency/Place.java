package facet.host.residency;

/** An allocation and where it is. Guarded by the gate of its holding. */
final class Place {
    enum State {
        /** Taken when the device had no room. What the client may have written is in its place. */
        FRESH,
        RESIDENT,
        /** Its bytes are in host memory. */
        OUT
    }

    final long offset;
    final long bytes;

    /** False for what the program, or another context of it, reads and writes without asking. */
    boolean movable;

    State state = State.FRESH;
    long lastUse;

    /** How far the client had written commands when this was moved out. */
    long movedAt;

    Place(long offset, long bytes, boolean movable, long now) {
        this.offset = offset;
        this.bytes = bytes;
        this.movable = movable;
        this.lastUse = now;
    }
}
