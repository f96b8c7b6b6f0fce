package facet.host.residency;

/**
 * An allocation, or a piece of a managed one, and where it is. Guarded by the gate of its holding.
 */
final class Place {
    enum State {
        /** Taken when the device had no room. What the client may have written is in its place. */
        FRESH,
        RESIDENT,
        /** Its bytes are in host memory. */
        OUT,
        /**
         * Managed memory that is the host's: its bytes are where they were, program and kernels
         * reach them, and the device's book does not count them.
         */
        HOST
    }

    final long offset;

    /** Fewer when it is cut. */
    long bytes;

    /** False for what the program, or another context of it, reads and writes without asking. */
    boolean movable;

    /** The managed allocation that it is a piece of, and 0 to 0 when it is none. */
    final long allocation;

    final long allocationEnd;

    State state = State.FRESH;
    long lastUse;

    /** How far the client had written commands when this was moved out. */
    long movedAt;

    /** Managed: the program said that it need not be on the device. */
    boolean willing;

    /** Managed and the host's: it is to come to the device when there is room. */
    boolean coming;

    Place(long offset, long bytes, boolean movable, long now) {
        this(offset, bytes, movable, 0, 0, now);
    }

    private Place(
            long offset,
            long bytes,
            boolean movable,
            long allocation,
            long allocationEnd,
            long now) {
        this.offset = offset;
        this.bytes = bytes;
        this.movable = movable;
        this.allocation = allocation;
        this.allocationEnd = allocationEnd;
        this.lastUse = now;
    }

    static Place managed(long offset, long bytes, long now) {
        return new Place(offset, bytes, false, offset, offset + bytes, now);
    }

    boolean isManaged() {
        return allocationEnd != 0;
    }

    long end() {
        return offset + bytes;
    }

    /** Cuts it; what is given back is the part from there on. */
    Place cut(long at) {
        Place rest = new Place(at, end() - at, movable, allocation, allocationEnd, lastUse);
        rest.state = state;
        rest.willing = willing;
        rest.coming = coming;
        bytes = at - offset;
        return rest;
    }

    /** Whether the one behind it can be put to it. */
    boolean continuesIn(Place next) {
        return isManaged()
                && next.isManaged()
                && next.allocation == allocation
                && next.state == state
                && next.willing == willing
                && next.coming == coming;
    }
}
