package facet.device;

/** A mark in a stream. */
public interface Event {
    /** Whether the work before the last record has ended; true when never recorded. */
    boolean isComplete();

    void synchronize();

    /**
     * Time between two completed events in nanoseconds.
     *
     * @throws DeviceException for one that was never reached
     */
    long nanosSince(Event earlier);
}
