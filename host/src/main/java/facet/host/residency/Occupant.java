package facet.host.residency;

/** What residency asks of a context. Any thread, unless it says otherwise. */
public interface Occupant {
    String slice();

    /** Of its slice, 0 to 100. */
    int priority();

    /** Whether work of it is under way on the device. */
    boolean isWorking();

    /** Whether any is, or is held back. */
    boolean hasWork();

    /**
     * Holds back all its work, also inside a running kernel, and returns when nothing of it runs;
     * or lets it go on.
     */
    void hold(boolean wanted);

    /** Whether its session is about to end. */
    boolean isEnding();

    /** Tells the client whether it may access device memory directly. */
    void moved(boolean moved);

    /** Whether the client says that it is doing so at the moment. */
    boolean isTouched();

    /** How far the client has written its commands. */
    long published();

    /** How far they were read. On the thread that reads them. */
    long read();

    void log(String text);
}
