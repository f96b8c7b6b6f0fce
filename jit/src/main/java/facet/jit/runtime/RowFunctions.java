package facet.jit.runtime;

import facet.jit.math.F32;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/**
 * Functions of a row of floats, from one array to another. They compute what the functions of one
 * float in {@code facet.jit.math} do, in the same steps and so with the same bits.
 *
 * <p>Each is a method that is compiled by itself ({@code jvm.options}): inlined, a dozen of them
 * would be more than C2 takes in one method.
 */
public final class RowFunctions {
    private static final int LANES = Lanes.COUNT;
    private static final int HALF = LANES / 2;
    private static final VectorSpecies<Double> DOUBLES = DoubleVector.SPECIES_PREFERRED;
    private static final VectorSpecies<Float> FLOATS =
            VectorSpecies.of(float.class, VectorShape.forBitSize(HALF * Float.SIZE));

    /** See {@code facet.jit.math.Approximate}, also for the polynomials. */
    private static final double TO_INTEGER = 0x1.8p52;

    private static final long TO_INTEGER_BITS = 0x4338_0000_0000_0000L;
    private static final float REDUCIBLE = 0x1p30f;

    private RowFunctions() {}

    private static DoubleVector widened(FloatVector a) {
        return (DoubleVector) a.convertShape(VectorOperators.F2D, DOUBLES, 0);
    }

    private static FloatVector narrowed(DoubleVector a) {
        return (FloatVector) a.convertShape(VectorOperators.D2F, FLOATS, 0);
    }

    public static void ex2Row(float[] from, float[] into) {
        for (int at = 0; at < LANES; at += HALF) {
            FloatVector a = FloatVector.fromArray(FLOATS, from, at);
            DoubleVector wide = widened(a);
            DoubleVector shifted = wide.add(TO_INTEGER);
            DoubleVector r = wide.sub(shifted.sub(TO_INTEGER));
            DoubleVector p = DoubleVector.broadcast(DOUBLES, 0x1.41fbbbc311d34p-13);
            p = p.fma(r, DoubleVector.broadcast(DOUBLES, 0x1.5f3e52e731129p-10));
            p = p.fma(r, DoubleVector.broadcast(DOUBLES, 0x1.3b2d4cf251bc3p-7));
            p = p.fma(r, DoubleVector.broadcast(DOUBLES, 0x1.c6aee88eb664ap-5));
            p = p.fma(r, DoubleVector.broadcast(DOUBLES, 0x1.ebfbdc3c2f68ep-3));
            p = p.fma(r, DoubleVector.broadcast(DOUBLES, 0x1.62e430af26ed2p-1));
            p = p.fma(r, DoubleVector.broadcast(DOUBLES, 1.0));
            LongVector exponent =
                    shifted.reinterpretAsLongs().add(1023).lanewise(VectorOperators.LSHL, 52);
            FloatVector result = narrowed(p.mul(exponent.reinterpretAsDoubles()));
            // What is too large, too small or no number.
            result = result.blend(Float.POSITIVE_INFINITY, a.compare(VectorOperators.GE, 129.0f));
            result = result.blend(0.0f, a.compare(VectorOperators.LE, -151.0f));
            result = result.blend(a, a.compare(VectorOperators.NE, a));
            result.intoArray(into, at);
        }
    }

    public static void lg2Row(float[] from, float[] into) {
        for (int at = 0; at < LANES; at += HALF) {
            FloatVector a = FloatVector.fromArray(FLOATS, from, at);
            LongVector bits = widened(a).reinterpretAsLongs();
            LongVector k = bits.sub(0x3fe6_a09e_667f_3bcdL).lanewise(VectorOperators.ASHR, 52);
            DoubleVector m = bits.sub(k.lanewise(VectorOperators.LSHL, 52)).reinterpretAsDoubles();
            DoubleVector s = m.sub(1).div(m.add(1));
            DoubleVector t = s.mul(s);
            DoubleVector p = DoubleVector.broadcast(DOUBLES, 0x1.ba1c3cbf0ccdbp-2);
            p = p.fma(t, DoubleVector.broadcast(DOUBLES, 0x1.2747091d320e2p-1));
            p = p.fma(t, DoubleVector.broadcast(DOUBLES, 0x1.ec70e63c181b6p-1));
            p = p.fma(t, DoubleVector.broadcast(DOUBLES, 0x1.7154764e6d429p+1));
            // An integer of a few bits as a double, without an instruction that AVX2 lacks.
            DoubleVector whole = k.add(TO_INTEGER_BITS).reinterpretAsDoubles().sub(TO_INTEGER);
            FloatVector result = narrowed(p.fma(s, whole));
            VectorMask<Float> ordinary =
                    a.compare(VectorOperators.GT, 0.0f)
                            .and(a.compare(VectorOperators.LT, Float.POSITIVE_INFINITY));
            if (!ordinary.allTrue()) {
                FloatVector other = FloatVector.broadcast(FLOATS, Float.NaN);
                other = other.blend(Float.NEGATIVE_INFINITY, a.compare(VectorOperators.EQ, 0.0f));
                other = other.blend(a, a.compare(VectorOperators.GT, 0.0f));
                result = other.blend(result, ordinary);
            }
            result.intoArray(into, at);
        }
    }

    public static void sinRow(float[] from, float[] into) {
        for (int at = 0; at < LANES; at += HALF) {
            FloatVector a = FloatVector.fromArray(FLOATS, from, at);
            if (!isReducible(a)) {
                for (int i = at; i < at + HALF; i++) {
                    into[i] = F32.sinApprox(from[i]);
                }
                continue;
            }
            DoubleVector wide = widened(a);
            DoubleVector shifted =
                    wide.fma(
                            DoubleVector.broadcast(DOUBLES, 1 / Math.PI),
                            DoubleVector.broadcast(DOUBLES, TO_INTEGER));
            sinOfRest(wide, shifted.sub(TO_INTEGER), shifted.reinterpretAsLongs())
                    .intoArray(into, at);
        }
    }

    public static void cosRow(float[] from, float[] into) {
        for (int at = 0; at < LANES; at += HALF) {
            FloatVector a = FloatVector.fromArray(FLOATS, from, at);
            if (!isReducible(a)) {
                for (int i = at; i < at + HALF; i++) {
                    into[i] = F32.cosApprox(from[i]);
                }
                continue;
            }
            DoubleVector wide = widened(a);
            DoubleVector shifted =
                    wide.fma(
                                    DoubleVector.broadcast(DOUBLES, 1 / Math.PI),
                                    DoubleVector.broadcast(DOUBLES, -0.5))
                            .add(TO_INTEGER);
            DoubleVector half = shifted.sub(TO_INTEGER).add(0.5);
            sinOfRest(wide, half, shifted.reinterpretAsLongs().not()).intoArray(into, at);
        }
    }

    private static boolean isReducible(FloatVector a) {
        return a.abs().compare(VectorOperators.LE, REDUCIBLE).allTrue();
    }

    private static FloatVector sinOfRest(DoubleVector a, DoubleVector multiple, LongVector parity) {
        DoubleVector r = multiple.neg().fma(DoubleVector.broadcast(DOUBLES, Math.PI), a);
        DoubleVector t = r.mul(r);
        DoubleVector p = DoubleVector.broadcast(DOUBLES, 0x1.5cf934010d938p-19);
        p = p.fma(t, DoubleVector.broadcast(DOUBLES, -0x1.9f5ff4af769cep-13));
        p = p.fma(t, DoubleVector.broadcast(DOUBLES, 0x1.110e6a5f81738p-7));
        p = p.fma(t, DoubleVector.broadcast(DOUBLES, -0x1.5555487d0f14cp-3));
        p = p.fma(t, DoubleVector.broadcast(DOUBLES, 1.0));
        LongVector sign = parity.lanewise(VectorOperators.LSHL, 63);
        LongVector result = r.mul(p).reinterpretAsLongs().lanewise(VectorOperators.XOR, sign);
        return narrowed(result.reinterpretAsDoubles());
    }
}
