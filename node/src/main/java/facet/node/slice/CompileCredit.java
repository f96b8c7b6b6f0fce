package facet.node.slice;

/**
 * How much of a JVM's compilers a slice may have at the precedence of kernels: enough for the
 * kernels of a program that begins. It comes back slowly, so that who makes new code all the time
 * has compilers that step back. What was had is owed. Times are those of {@link System#nanoTime};
 * one thread at a time.
 */
public final class CompileCredit {
    /** Some thirty kernels. */
    static final long MOST = 3_000_000_000L;

    /** One part in so many of the time that goes by. */
    private static final int SLOWLY = 50;

    private long left = MOST;
    private long looked;
    private long owed;

    public CompileCredit(long now) {
        looked = now;
    }

    private void refill(long now) {
        left = Math.min(MOST, left + (now - looked) / SLOWLY);
        looked = now;
    }

    public boolean isSpent(long now) {
        refill(now);
        return left <= 0;
    }

    /** It had so much of them. */
    public void spend(long nanos, long now) {
        refill(now);
        left -= nanos;
        owed += nanos;
    }

    /**
     * Pays what it can.
     *
     * @param had what it had of the device since it last paid: it pays no more, so that it goes on
     *     at half its speed until it owes nothing
     * @return what is to be charged
     */
    public long pay(long had) {
        long paid = Math.max(0, Math.min(owed, had));
        owed -= paid;
        return paid;
    }

    public boolean owes() {
        return owed > 0;
    }
}
