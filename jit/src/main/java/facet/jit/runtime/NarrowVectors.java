package facet.jit.runtime;

import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/**
 * Vector code of 8- and 16-bit values. In registers they take a lane of 32 bits, zero-extended; in
 * memory they are side by side.
 */
public final class NarrowVectors {
    private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_PREFERRED;

    /** As many as a row has lanes; the smallest vector may hold more. */
    static final VectorSpecies<Byte> BYTES =
            VectorSpecies.of(
                    byte.class, VectorShape.forBitSize(Math.max(64, Lanes.COUNT * Byte.SIZE)));

    static final VectorSpecies<Short> SHORTS =
            VectorSpecies.of(
                    short.class, VectorShape.forBitSize(Math.max(64, Lanes.COUNT * Short.SIZE)));

    private NarrowVectors() {}

    /** Whether rows of bytes and of 16 bits are vectors here. */
    public static boolean fit() {
        return BYTES.length() == Lanes.COUNT && SHORTS.length() == Lanes.COUNT;
    }

    public static IntVector loadedU08(ByteVector a) {
        return (IntVector) a.convertShape(VectorOperators.ZERO_EXTEND_B2I, INTS, 0);
    }

    public static IntVector loadedS08(ByteVector a) {
        return (IntVector) a.convertShape(VectorOperators.B2I, INTS, 0);
    }

    public static IntVector loadedU16(ShortVector a) {
        return (IntVector) a.convertShape(VectorOperators.ZERO_EXTEND_S2I, INTS, 0);
    }

    public static IntVector loadedS16(ShortVector a) {
        return (IntVector) a.convertShape(VectorOperators.S2I, INTS, 0);
    }

    public static ByteVector storedB08(IntVector a) {
        return (ByteVector) a.convertShape(VectorOperators.I2B, BYTES, 0);
    }

    public static ShortVector storedB16(IntVector a) {
        return (ShortVector) a.convertShape(VectorOperators.I2S, SHORTS, 0);
    }

    public static IntVector zeroExtended(IntVector a, int bits) {
        return a.and(-1 >>> 32 - bits);
    }

    public static IntVector signExtended(IntVector a, int bits) {
        return a.lanewise(VectorOperators.LSHL, 32 - bits)
                .lanewise(VectorOperators.ASHR, 32 - bits);
    }
}
