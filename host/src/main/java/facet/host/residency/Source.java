package facet.host.residency;

import java.util.List;

/** Where room comes from when none is free. Called by the serving thread, without the monitor. */
interface Source {
    /** Whether there is something to do although nobody waits. With the monitor. */
    boolean isDue();

    /**
     * Comes before they are served.
     *
     * @param waiting the first one first
     */
    void begin(List<Request> waiting);

    /**
     * Makes room for the first one that can take it.
     *
     * @return when to look again; 0 when something was done
     */
    long makeRoom(Request request, long missing);

    /** Comes when they were served as far as that goes. */
    void end();
}
