package facet.doors.history;

import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;

/** A slice as the history sees it: counters that go up, and what it has now. Any thread. */
public interface Sampled {
    String name();

    /**
     * The devices that it sees, by their numbers; below they are meant by their place in it. Higher
     * ones than this node has are those of other nodes.
     */
    List<Integer> devices();

    /** When its counters began at 0, by the clock of the JVM. */
    long openedNanos();

    /** Of when its counters are. */
    long measuredNanos();

    /** Device time that it had of one of its devices. */
    long deviceNanos(int device);

    /** Time in which it had work and not its turn, of all its devices, where that is measured. */
    OptionalLong waitNanos();

    /** Bytes that it has of one of its devices. */
    long memoryUsed(int device);

    /** Percent of its devices' time that it is promised. */
    int promised(Instant now);
}
