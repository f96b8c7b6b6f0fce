package facet.device;

import java.time.Duration;

/**
 * A call that a driver does not answer.
 *
 * @param patience how long it may take before the driver is given up
 */
public record Stall(String call, Duration since, Duration patience) {}
