package facet.sched;

/**
 * One of those who share a device: what it may have, what it had. Its fields are {@link Board}'s to
 * change.
 *
 * <p>Two clocks tell who is next. <i>Served</i> is the device time it had, divided by its part of
 * the device: of two with equal rights the one that was served less goes first. The <i>budget</i>
 * is device time that is earned as time passes and spent by running; it holds back those with a
 * cap.
 */
public class Share {
    /** What may be saved up of a capped share, as time of earning. */
    static final long MOST_SAVED = 20_000_000;

    /** Earning time that a share whose budget is spent waits for: no turns of microseconds. */
    static final long LEAST_SAVED = 2_000_000;

    /**
     * What may be owed, as time of earning. Somebody whose core was taken away is charged for that
     * too, but does not pay for seconds.
     */
    static final long MOST_OWED = 100_000_000;

    private static final double ROUNDING = 1.0;

    /** Whether its own pieces of work take turns without the board. */
    final boolean rotates;

    Entitlement entitlement;
    int waiting;
    int running;
    double served;
    boolean spent;

    /** For how long its work went on of late when it was to make room, where it cannot. */
    double overrun;

    private double budget;
    private long budgetAt;
    private long used;
    private long waited;
    private long waitsSince;

    protected Share(Entitlement entitlement) {
        this(entitlement, false);
    }

    protected Share(Entitlement entitlement, boolean rotates) {
        this.entitlement = entitlement;
        this.rotates = rotates;
    }

    /** Pieces of its work that wait for a seat. */
    public int waiting() {
        return waiting;
    }

    boolean isActive() {
        return waiting > 0 || running > 0;
    }

    boolean isCapped() {
        return entitlement.cap() < 1;
    }

    int rank() {
        return entitlement.rank();
    }

    // ---- budget

    /** Earns up to now. */
    void earn(int seats, long now) {
        if (!isCapped()) {
            spent = false;
            return;
        }
        double rate = entitlement.cap() * seats;
        budget = Math.min(budget + rate * (now - budgetAt), rate * MOST_SAVED);
        budgetAt = now;
        if (spent && budget >= rate * LEAST_SAVED - ROUNDING) {
            spent = false;
        }
    }

    /** Begins with nothing saved. */
    void beginEarning(long now) {
        budget = 0;
        budgetAt = now;
        spent = false;
    }

    void spend(int seats, long nanos) {
        used += nanos;
        if (isCapped()) {
            budget = Math.max(budget - nanos, -entitlement.cap() * seats * MOST_OWED);
            spent |= budget <= 0;
        }
    }

    /** How long the budget lasts with the seats that it has now. */
    long lasts() {
        return isCapped() ? (long) (budget / Math.max(1, running)) : Long.MAX_VALUE;
    }

    /** When a spent one may run again. */
    long affordable(int seats, long now) {
        double rate = entitlement.cap() * seats;
        return now + (long) Math.ceil(Math.max(0, rate * LEAST_SAVED - budget) / rate);
    }

    // ---- figures

    /** Nanoseconds of device time it had when that was last looked at. */
    long used() {
        return used;
    }

    /** Nanoseconds for which it had work and no seat. */
    public long waited(long now) {
        return isStarved() ? waited + (now - waitsSince) : waited;
    }

    /** Call before and after each change of what waits and runs. */
    void noteWait(boolean before, long now) {
        boolean waits = isStarved();
        if (before && !waits) {
            waited += now - waitsSince;
        } else if (!before && waits) {
            waitsSince = now;
        }
    }

    boolean isStarved() {
        return waiting > 0 && running == 0;
    }
}
