package facet.cli.top;

import com.fasterxml.jackson.databind.JsonNode;

/** What the daemon said about devices, slices and sessions, one after the other. */
public record Sample(Rows devices, Rows slices, Rows sessions) {
    /**
     * An answer.
     *
     * @param nanos when it came, by a clock that only goes forward
     */
    public record Rows(long nanos, JsonNode rows) {}
}
