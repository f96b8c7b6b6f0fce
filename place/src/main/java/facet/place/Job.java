package facet.place;

/**
 * A request and who asks. Times are in the unit of whoever calls; nothing here looks at a clock.
 *
 * @param name no two jobs have the same at a time
 * @param queue in which it waits, and whose quota it uses
 * @param priority those with more come first, and may take the place of those with less
 * @param stay how long, and how it may be made to leave
 */
public record Job(String name, Request request, String queue, int priority, Stay stay) {
    /** What may be done with it while it runs. */
    public enum Leaving {
        /** Nothing: it leaves by itself. */
        NEVER,
        /** It may be ended; it begins anew elsewhere or later. */
        RESTARTS,
        /** It may also be moved with all that it has. */
        MOVES
    }

    /**
     * @param expected how long it runs at most; {@link #UNKNOWN} where nobody said
     * @param grace how long it may go on when it was told to leave
     */
    public record Stay(long expected, Leaving leaving, long grace) {
        public static final long UNKNOWN = Long.MAX_VALUE;
        public static final Stay PUT = new Stay(UNKNOWN, Leaving.NEVER, 0);

        public Stay {
            if (expected < 0 || grace < 0) {
                throw new IllegalArgumentException(
                        "a stay of " + expected + " with a grace of " + grace);
            }
        }

        /** When it is gone at the latest if it is told then; before the end of all time. */
        public long deadline(long told) {
            long last = UNKNOWN - 1;
            return grace > last - Math.max(0, told) ? last : told + grace;
        }
    }

    /** Of nobody: it stays where it is. */
    public static Job of(Request request) {
        return new Job("", request, "", 0, Stay.PUT);
    }

    /** When it leaves at the latest if it begins then. */
    public long end(long begins) {
        return stay.expected() > Stay.UNKNOWN - begins ? Stay.UNKNOWN : begins + stay.expected();
    }
}
