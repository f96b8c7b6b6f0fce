package facet.ptx;

/**
 * Arithmetic on sizes and offsets that a stranger wrote. A kernel leaves its memory wherever such a
 * number overflows unseen, so they are added, multiplied and aligned here and nowhere else.
 *
 * <p>Sizes are exact, or {@link #BEYOND}, which stays what it is and which every limit refuses: a
 * sum of them needs one comparison at its end, and no step on the way can be forgotten.
 */
public final class Extent {
    /** Stands for all sizes that a long does not hold. */
    public static final long BEYOND = Long.MAX_VALUE;

    private Extent() {}

    /** Of two sizes. */
    public static long sum(long first, long second) {
        checkSize(first);
        checkSize(second);
        return first > BEYOND - second ? BEYOND : first + second;
    }

    /** So many of the same size. */
    public static long product(long count, long each) {
        checkSize(count);
        checkSize(each);
        return each != 0 && count > BEYOND / each ? BEYOND : count * each;
    }

    /** The next multiple of the alignment, which is a power of two. */
    public static long align(long bytes, long alignment) {
        if (Long.bitCount(alignment) != 1 || alignment < 0) {
            throw new IllegalArgumentException("no alignment: " + alignment);
        }
        checkSize(bytes);
        long last = BEYOND & -alignment;
        return bytes > last ? BEYOND : bytes + (alignment - 1) & -alignment;
    }

    /** Where the next of several things ends that lie one behind the other. */
    public static long append(long end, long alignment, long bytes) {
        return sum(align(end, alignment), bytes);
    }

    /** Whether {@code width} bytes at {@code offset}, which may be any number, lie in the size. */
    public static boolean contains(long size, long offset, long width) {
        checkSize(size);
        checkSize(width);
        return width <= size && offset >= 0 && offset <= size - width;
    }

    /** From the lower to the higher of two offsets, which may be any numbers. */
    public static long distance(long low, long high) {
        if (low > high) {
            throw new IllegalArgumentException(low + " is above " + high);
        }
        // A difference of longs that are in order is wrong exactly when it is negative.
        return high - low < 0 ? BEYOND : high - low;
    }

    /**
     * So far behind a place, or before it. Wraps, as addresses do (PTX ISA 4.6, 6.4.1): what comes
     * of it is any number, to be held against a size before it is used.
     */
    public static long address(long place, long offset) {
        return place + offset;
    }

    private static void checkSize(long size) {
        if (size < 0) {
            throw new IllegalArgumentException("no size: " + size);
        }
    }
}
