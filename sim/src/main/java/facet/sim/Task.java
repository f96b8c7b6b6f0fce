package facet.sim;

import facet.place.Request;

/**
 * A line of a trace: somebody asked for something, for a time.
 *
 * @param arrives seconds
 * @param leaves seconds; it ran for the time between, whenever it began
 */
public record Task(String name, Request request, long arrives, long leaves, Standing standing) {
    public Task {
        if (leaves < arrives) {
            throw new IllegalArgumentException(
                    "'" + name + "' leaves at " + leaves + ", before it arrives at " + arrives);
        }
    }

    public Task(String name, Request request, long arrives, long leaves) {
        this(name, request, arrives, leaves, Standing.NONE);
    }

    /** Seconds that it runs. */
    public long duration() {
        return leaves - arrives;
    }
}
