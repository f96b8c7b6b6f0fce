package facet.place;

/**
 * A part of a device that the hardware keeps apart from the others. A device that can be divided
 * has so many slices of memory; a part has neighbouring ones, and may begin at some of them only.
 *
 * @param profile as the vendor names it: 2g.10gb
 * @param division the way of dividing to which it belongs; see {@link Parts}
 * @param slices that it has
 * @param of so many
 * @param starts the bits of the slices at which it may begin
 * @param start where it begins; {@link #ANYWHERE} as long as it has no place
 */
public record Part(String profile, String division, int slices, int of, int starts, int start) {
    public static final int ANYWHERE = -1;

    private static final int MOST = 16;

    public Part {
        boolean fits = of >= 1 && of <= MOST && slices >= 1 && slices <= of;
        if (!fits || starts == 0 || 32 - Integer.numberOfLeadingZeros(starts) + slices - 1 > of) {
            throw new IllegalArgumentException(
                    "part '" + profile + "' with " + slices + " of " + of + " slices");
        }
        if (start != ANYWHERE && (start < 0 || (starts >>> start & 1) == 0)) {
            throw new IllegalArgumentException(
                    "part '" + profile + "' does not begin at slice " + start);
        }
    }

    Part at(int slice) {
        return new Part(profile, division, slices, of, starts, slice);
    }

    boolean isPlaced() {
        return start != ANYWHERE;
    }

    /** The bits of its slices, if it began there. */
    int mask(int from) {
        return (1 << slices) - 1 << from;
    }

    /** The bits of its slices. */
    int mask() {
        return mask(start);
    }

    /** Thousandths of the device that its slices are. */
    int thousandths() {
        return Cluster.WHOLE * slices / of;
    }

    /** Whether it finds room beside these slices. */
    boolean fits(int taken) {
        if (isPlaced()) {
            return (taken & mask()) == 0;
        }
        for (int rest = starts; rest != 0; rest &= rest - 1) {
            if ((taken & mask(Integer.numberOfTrailingZeros(rest))) == 0) {
                return true;
            }
        }
        return false;
    }

    /** In how many ways it fits beside these slices. */
    int ways(int taken) {
        int ways = 0;
        for (int rest = starts; rest != 0; rest &= rest - 1) {
            ways += (taken & mask(Integer.numberOfTrailingZeros(rest))) == 0 ? 1 : 0;
        }
        return ways;
    }
}
