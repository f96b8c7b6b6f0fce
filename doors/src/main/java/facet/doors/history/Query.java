package facet.doors.history;

/**
 * What is asked of the history.
 *
 * @param seconds how much of it, up to now
 * @param step seconds of a point; it is the mean of its samples
 * @param since only points that begin later, in seconds since 1970; 0: all
 */
public record Query(int seconds, int step, long since) {
    /** All that is kept. */
    public static final int LONGEST = Column.SECONDS;

    public Query {
        if (seconds < 1 || seconds > LONGEST) {
            throw new IllegalArgumentException("seconds is 1 to " + LONGEST + ", not " + seconds);
        }
        if (step < 1 || step > LONGEST) {
            throw new IllegalArgumentException("step is 1 to " + LONGEST + ", not " + step);
        }
        if (since < 0) {
            throw new IllegalArgumentException("since is in seconds since 1970, not " + since);
        }
    }
}
