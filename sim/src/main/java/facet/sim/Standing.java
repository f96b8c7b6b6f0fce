package facet.sim;

import facet.place.Job;

/**
 * How a task stands beside others while it waits and runs.
 *
 * @param gang whose tasks begin together; empty: it begins by itself
 * @param grace seconds that it may go on when it was told to leave
 */
public record Standing(String queue, int priority, String gang, Job.Leaving leaving, long grace) {
    /** One queue, no gang, all the same; nobody is made to leave. */
    public static final Standing NONE = new Standing("", 0, "", Job.Leaving.NEVER, 0);

    private static final long USUAL_GRACE = 30;

    /**
     * By the words of Kubernetes and of Alibaba's traces. Latency-sensitive and guaranteed ones
     * come first and stay; the others begin anew when they had to leave, after half a minute of
     * grace, and are taken to be such that they can move.
     */
    static Standing of(String quality) {
        return switch (quality) {
            case "LS", "Guaranteed" -> new Standing("", 2, "", Job.Leaving.NEVER, 0);
            case "Burstable" -> new Standing("", 1, "", Job.Leaving.MOVES, USUAL_GRACE);
            case "BE", "BestEffort" -> new Standing("", 0, "", Job.Leaving.MOVES, USUAL_GRACE);
            default -> NONE;
        };
    }
}
