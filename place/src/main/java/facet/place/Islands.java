package facet.place;

/**
 * Which devices of a node a request for several gets. On one island, if one has enough; of those on
 * the one where they cost least, then where fewest are left over. Else from as few as possible.
 */
final class Islands {
    private Islands() {}

    /** The bits of an island's devices. */
    static long mask(int number, int size) {
        int first = number * size;
        long ones = size >= Long.SIZE ? -1L : (1L << size) - 1;
        return first >= Long.SIZE ? 0 : ones << first;
    }

    /**
     * @param possible the bits of the devices that have enough
     * @param size of an island; 0: there are none
     * @param costs of each device of the node by itself
     */
    static long choose(int count, long possible, int size, double[] costs) {
        if (size == 0) {
            return cheapest(count, possible, costs);
        }
        long best = 0;
        double least = Double.POSITIVE_INFINITY;
        int fewest = Integer.MAX_VALUE;
        for (int i = 0; i * size < Long.SIZE; i++) {
            long there = possible & mask(i, size);
            if (Long.bitCount(there) >= count) {
                long chosen = cheapest(count, there, costs);
                double cost = sum(chosen, costs);
                if (cost < least || cost == least && Long.bitCount(there) < fewest) {
                    best = chosen;
                    least = cost;
                    fewest = Long.bitCount(there);
                }
            }
        }
        return best != 0 ? best : largestFirst(count, possible, size, costs);
    }

    private static long largestFirst(int count, long possible, int size, double[] costs) {
        long chosen = 0;
        long rest = possible;
        while (Long.bitCount(chosen) < count) {
            long most = 0;
            for (int i = 0; i * size < Long.SIZE; i++) {
                long there = rest & mask(i, size);
                most = Long.bitCount(there) > Long.bitCount(most) ? there : most;
            }
            int missing = count - Long.bitCount(chosen);
            chosen |= cheapest(Math.min(missing, Long.bitCount(most)), most, costs);
            rest &= ~most;
        }
        return chosen;
    }

    private static long cheapest(int count, long possible, double[] costs) {
        long chosen = 0;
        for (int i = 0; i < count; i++) {
            int best = -1;
            for (long rest = possible & ~chosen; rest != 0; rest &= rest - 1) {
                int each = Long.numberOfTrailingZeros(rest);
                best = best < 0 || costs[each] < costs[best] ? each : best;
            }
            chosen |= 1L << best;
        }
        return chosen;
    }

    private static double sum(long devices, double[] costs) {
        double sum = 0;
        for (long rest = devices; rest != 0; rest &= rest - 1) {
            sum += costs[Long.numberOfTrailingZeros(rest)];
        }
        return sum;
    }
}
