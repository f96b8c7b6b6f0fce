package facet.node.slice;

/**
 * How much of a JVM's compilers a slice may have at the precedence of kernels: enough for the
 * kernels of a program that begins. It comes back slowly, so that who makes new code all the time
 * has compilers that step back. What was had can be owed: it is paid by and by, and who owes much
 * has no more of them until then, so that neighbours lose a second and not three. Times are those
 * of {@link System#nanoTime}; one thread at a time.
 */
public final class CompileCredit {
    /** Some thirty kernels. */
    static final long MOST = 3_000_000_000L;

    /** Some ten kernels. */
    static final long MOST_OWED = 1_000_000_000L;

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
    }

    /** It is to pay for so much. */
    public void owe(long nanos) {
        owed += nanos;
    }

    public boolean owesMuch() {
        return owed >= MOST_OWED;
    }

    /** What it left unused of its own part of the device pays too. */
    public void forgive(long nanos) {
        owed = Math.max(0, owed - Math.max(0, nanos));
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
}
