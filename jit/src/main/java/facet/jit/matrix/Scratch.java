package facet.jit.matrix;

/** Arrays for one multiplication at a time; each thread of this process has its own. */
final class Scratch {
    private static final ThreadLocal<Scratch> OWN = ThreadLocal.withInitial(Scratch::new);

    /** The largest matrix has 16 rows of 64 elements, or 128 of 8. */
    private static final int ELEMENTS = 1024;

    private static final int SUMS = 256;

    /** Registers of a warp as they are. */
    final int[] words = new int[256];

    final long[] longs = new long[256];

    /** Elements in the order of registers. */
    final short[] halves = new short[512];

    final float[] floats = new float[ELEMENTS];

    // Matrices by rows.
    final float[] floatA = new float[ELEMENTS];
    final float[] floatB = new float[ELEMENTS];
    final float[] floatC = new float[SUMS];
    final double[] doubleA = new double[SUMS];
    final double[] doubleB = new double[SUMS];
    final double[] doubleC = new double[SUMS];
    final int[] intA = new int[ELEMENTS];
    final int[] intB = new int[ELEMENTS];
    final int[] intC = new int[SUMS];
    final int[] products = new int[SUMS];

    /** Of a sparse A: which row of B each element meets. */
    final int[] partners = new int[ELEMENTS];

    private Scratch() {}

    static Scratch own() {
        return OWN.get();
    }
}
