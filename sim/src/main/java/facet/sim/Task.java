package facet.sim;

import facet.place.Request;

/**
 * A line of a trace: somebody asked for something, for a time.
 *
 * @param arrives seconds
 * @param leaves seconds; it ran for the time between, whenever it began
 */
public record Task(String name, Request request, long arrives, long leaves) {
    public Task {
        if (leaves < arrives) {
            throw new IllegalArgumentException(
                    "'" + name + "' leaves at " + leaves + ", before it arrives at " + arrives);
        }
    }
}
