package facet.node.container;

import facet.doors.control.Operations;
import org.jspecify.annotations.Nullable;

/**
 * A container that has a slice. Its monitor is held while it gets one, while it changes and ends.
 */
final class Container {
    private final String id;

    /** Null until the slice is there. */
    private volatile @Nullable ContainerRecord record;

    /** Null as well when the slice cannot be opened again after a restart. */
    private Operations.@Nullable Made made;

    private Processes.@Nullable Watched watched;
    private boolean gone;

    Container(String id) {
        this.id = id;
    }

    String id() {
        return id;
    }

    @Nullable ContainerRecord record() {
        return record;
    }

    void record(ContainerRecord other) {
        record = other;
    }

    Operations.@Nullable Made made() {
        return made;
    }

    void begun(ContainerRecord its, Operations.@Nullable Made slice) {
        made = slice;
        record = its;
    }

    void watched(Processes.Watched by) {
        watched = by;
    }

    boolean isGone() {
        return gone;
    }

    void end() {
        gone = true;
        if (watched != null) {
            watched.close();
        }
    }
}
