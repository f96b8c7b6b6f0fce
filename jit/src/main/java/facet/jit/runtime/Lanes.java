package facet.jit.runtime;

/** The 32-bit lanes that this machine's vector registers have. */
public final class Lanes {
    public static final int COUNT = jdk.incubator.vector.IntVector.SPECIES_PREFERRED.length();

    private Lanes() {}
}
