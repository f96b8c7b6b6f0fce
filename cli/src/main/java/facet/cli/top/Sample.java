package facet.cli.top;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * What the daemon said at one time.
 *
 * @param nanos when, by a clock that only goes forward
 * @param devices rows of the verb devices; likewise the others
 */
public record Sample(long nanos, JsonNode devices, JsonNode slices, JsonNode sessions) {}
