package facet.jit.runtime;

/** The 32-bit lanes that this machine's vector registers have. */
public final class Lanes {
    public static final int COUNT = jdk.incubator.vector.IntVector.SPECIES_PREFERRED.length();

    /** Threads of a row: what is the same for all of them is then done half as often. */
    public static final int WIDE = Math.min(32, 2 * COUNT);

    /** Threads of a row that no lane leaves and that has few values; see {@code LongRows}. */
    public static final int LONGEST = 256;

    private Lanes() {}
}
