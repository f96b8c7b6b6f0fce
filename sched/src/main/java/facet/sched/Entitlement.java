package facet.sched;

/**
 * What a share may have at a moment, whatever policy that comes from.
 *
 * @param rank work of a higher rank runs first
 * @param guarantee part of the device, 0 to 1; 0: an equal part of what nobody has a right to
 * @param cap the most it may have, 0 to 1
 * @param turn nanoseconds for which it has the device to itself, or 0
 * @param seats how many of the device's seats it may use at once
 */
public record Entitlement(int rank, double guarantee, double cap, long turn, int seats) {
    /** Rank of shares that have a right to a part of the device. */
    public static final int BY_SHARE = 0;

    /** Rank of those that run when nobody else wants to. */
    public static final int BACKGROUND = -1;

    /** All that nobody else has a right to. */
    public static final Entitlement REST = new Entitlement(BY_SHARE, 0, 1, 0, Integer.MAX_VALUE);

    public Entitlement {
        if (guarantee < 0 || guarantee > 1 || cap <= 0 || cap > 1 || turn < 0 || seats < 1) {
            throw new IllegalArgumentException(
                    "guarantee "
                            + guarantee
                            + ", cap "
                            + cap
                            + ", turn "
                            + turn
                            + ", seats "
                            + seats);
        }
    }
}
