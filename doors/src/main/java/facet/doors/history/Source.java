package facet.doors.history;

import java.util.List;

/** What there is to sample. */
public interface Source {
    int devices();

    /** Seconds of device time that a device has in a second. */
    int multiprocessors();

    /** Taken in one step: no slice is in both parts of it, or in none. */
    Now now();

    /**
     * @param slices that are there
     * @param endedNanos device time that those had which are gone, by device
     */
    record Now(List<? extends Sampled> slices, long[] endedNanos) {}
}
