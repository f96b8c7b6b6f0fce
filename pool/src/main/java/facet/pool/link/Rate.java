package facet.pool.link;

/**
 * How fast a lane is, by what the other side acknowledges while there is always more to send. One
 * thread tells, any thread asks.
 */
final class Rate {
    /** Shorter moments say more about acknowledgements than about the road. */
    private static final long LEAST_NANOS = 20_000_000;

    private static final double SECOND = 1e9;

    private long since;
    private long bytes;
    private volatile double perSecond;

    /**
     * More was acknowledged.
     *
     * @param all whether nothing is left to send
     */
    void passed(long more, boolean all, long now) {
        if (since == 0) {
            since = all ? 0 : now;
            bytes = 0;
            return;
        }
        bytes += more;
        long nanos = now - since;
        if (nanos >= LEAST_NANOS) {
            double latest = bytes * SECOND / nanos;
            perSecond = perSecond == 0 ? latest : perSecond + (latest - perSecond) / 4;
            since = now;
            bytes = 0;
        }
        if (all) {
            since = 0;
        }
    }

    double bytesPerSecond() {
        return perSecond;
    }
}
