package facet.place;

import java.util.Map;

/**
 * A place where a request fits, and what it would cost there.
 *
 * @param devices the bits of the node's devices, the first one lowest
 * @param free thousandths of the node's devices that are free now
 * @param cost the sum of the parts; less is better
 * @param parts what each score adds, weighed, by the name of the score
 */
public record Choice(int node, long devices, int free, double cost, Map<String, Double> parts) {}
