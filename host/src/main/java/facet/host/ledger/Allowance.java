package facet.host.ledger;

/**
 * Time of the host that a slice may have for something: it is earned as time passes, saved up to a
 * limit, and there from the beginning. All times are nanoseconds of one clock. Any thread.
 */
public final class Allowance {
    private final double rate;
    private final double most;
    private double left;
    private long earnedAt;

    /**
     * @param rate what is earned in a nanosecond
     * @param most what is saved up
     */
    public Allowance(double rate, long most, long now) {
        this.rate = rate;
        this.most = most;
        left = most;
        earnedAt = now;
    }

    /** Whether anything of it is left. */
    public synchronized boolean isLeft(long now) {
        earn(now);
        return left > 0;
    }

    /** What has been used; it may be more than was left. */
    public synchronized void spend(long nanos, long now) {
        earn(now);
        left -= Math.max(0, nanos);
    }

    private void earn(long now) {
        left = Math.min(most, left + rate * Math.max(0, now - earnedAt));
        earnedAt = now;
    }
}
