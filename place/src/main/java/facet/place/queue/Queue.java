package facet.place.queue;

/**
 * Whose jobs wait together.
 *
 * @param quota thousandths of devices that it gets whenever it wants them
 * @param limit that it never exceeds; what is above the quota is borrowed, and given back when the
 *     owner wants it
 */
public record Queue(String name, long quota, long limit) {
    public static final long UNLIMITED = Long.MAX_VALUE;

    public Queue {
        if (quota < 0 || limit < quota) {
            throw new IllegalArgumentException(
                    "queue '"
                            + name
                            + "' with a quota of "
                            + quota
                            + " and a limit of "
                            + limit
                            + " thousandths; the limit is at least the quota");
        }
    }

    /** That gets all there is. */
    public static Queue unlimited(String name) {
        return new Queue(name, UNLIMITED, UNLIMITED);
    }
}
