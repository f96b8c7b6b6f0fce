package facet.node.pool;

/**
 * What goes to another node, for metrics.
 *
 * @param connected whether words come through
 * @param resumes how often connections were cut and went on, of its own link too
 */
public record LinkNews(
        String node,
        boolean connected,
        long roundTripNanos,
        SessionLinks.Sums sessions,
        long resumes) {}
