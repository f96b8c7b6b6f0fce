package facet.jit.math;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** ftz, sat, neg, abs, testp, relu and the packing of pairs. */
class SingleOperandTest {
    private static final double NORMAL_32 = Float.MIN_NORMAL;
    private static final double NORMAL_64 = Double.MIN_NORMAL;

    static List<Format> formats() {
        return List.of(Format.F32, Format.F64);
    }

    @ParameterizedTest
    @MethodSource("formats")
    void testp(Format format) {
        Class<?> owner = format == Format.F32 ? F32.class : F64.class;
        double smallest = format == Format.F32 ? NORMAL_32 : NORMAL_64;
        for (long bits : Values.edgeBits(format)) {
            double a = format.value(bits);
            double size = Math.abs(a);
            boolean nan = Double.isNaN(a);
            boolean infinite = Double.isInfinite(a);
            boolean subnormal = size > 0 && size < smallest;
            is(!nan && !infinite, owner, "testpFinite", bits);
            is(infinite, owner, "testpInfinite", bits);
            is(!nan, owner, "testpNumber", bits);
            is(nan, owner, "testpNotanumber", bits);
            is(!nan && !infinite && !subnormal, owner, "testpNormal", bits);
            is(subnormal, owner, "testpSubnormal", bits);
        }
    }

    private static void is(boolean expected, Class<?> owner, String name, long bits) {
        assertEquals(expected ? 1 : 0, Subject.of(owner, name).call(bits), name + " " + bits);
    }

    @ParameterizedTest
    @MethodSource("formats")
    void signsAndClamps(Format format) {
        Class<?> owner = format == Format.F32 ? F32.class : F64.class;
        long sign = format.signBit();
        for (long bits : Values.edgeBits(format)) {
            double a = format.value(bits);
            long saturated = a >= 1 ? format.bits(1) : a > 0 ? bits : 0;
            assertEquals(saturated, Subject.of(owner, "sat").call(bits), () -> "sat " + a);
            if (!Double.isNaN(a)) {
                assertEquals(bits ^ sign, Subject.of(owner, "neg").call(bits), () -> "neg " + a);
                assertEquals(bits & ~sign, Subject.of(owner, "abs").call(bits), () -> "abs " + a);
            }
            if (format == Format.F32) {
                long flushed = Math.abs(a) < NORMAL_32 ? bits & sign : bits;
                assertEquals(flushed, Subject.of(owner, "ftz").call(bits), () -> "ftz " + a);
            }
            for (int selector : new int[] {0, 1, -1, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
                long selected = selector >= 0 ? bits : 0;
                assertEquals(selected, Subject.of(owner, "slctS32").call(bits, 0, selector));
            }
            for (float selector : new float[] {0, -0.0f, 1, -1, Float.NaN, -Float.MIN_VALUE}) {
                long selected = selector >= 0 ? bits : 0;
                int c = Float.floatToRawIntBits(selector);
                assertEquals(selected, Subject.of(owner, "slctF32").call(bits, 0, c));
            }
        }
    }

    @Test
    void signsOfHalves() {
        for (int a = 0; a < 0x10000; a++) {
            assertEquals(a ^ 0x8000, F16.neg(a));
            assertEquals(a ^ 0x8000, BF16.neg(a));
            assertEquals(a & 0x7fff, F16.abs(a));
            assertEquals(a & 0x7fff, BF16.abs(a));
        }
    }

    /** cvt.*x2.f32 d, a, b puts a into the upper half. */
    @ParameterizedTest
    @CsvSource({
        "f32ToF16x2Rn,  1.0, -2.0,     3c00c000",
        "f32ToF16x2Rn,  65520.0, NaN,  7c007fff",
        "f32ToF16x2Rz,  65520.0, -1e9, 7bfffbff",
        "f32ToBf16x2Rn, 1.0, -2.0,     3f80c000",
        "f32ToBf16x2Rn, 3.4e38, NaN,   7f807fff",
        "f32ToBf16x2Rz, 3.4e38, -3.4e38, 7f7fff7f",
    })
    void packsPairs(String name, float a, float b, String expected) {
        long bits =
                Subject.of(Convert.class, name)
                        .call(Float.floatToRawIntBits(a), Float.floatToRawIntBits(b));
        assertEquals(expected, Long.toHexString(bits));
    }

    @ParameterizedTest
    @CsvSource({
        "tf32Satfinite, 7f800000, 7f7fe000",
        "tf32Satfinite, ff800000, ff7fe000",
        "tf32Satfinite, 7fffffff, 7fffffff",
        "tf32Satfinite, bf800000, bf800000",
        "tf32Relu,      bf800000, 0",
        "tf32Relu,      80000000, 0",
        "tf32Relu,      ff800000, 0",
        "tf32Relu,      3f800000, 3f800000",
        "tf32Relu,      7f800000, 7f800000",
        "tf32Relu,      7fffffff, 7fffffff",
        "f32ToF16Rn,    ffc00001, 7fff",
        "f32ToF16Rz,    7f800001, 7fff",
        "f32ToBf16Rn,   7f800001, 7fff",
        "f32ToBf16Rz,   ffffffff, 7fff",
        "f32ToTf32Rna,  ff800001, 7fffffff",
    })
    void clampsAndNans(String name, String operand, String expected) {
        long bits = Subject.of(Convert.class, name).call(Long.parseLong(operand, 16));
        assertEquals(expected, Long.toHexString(bits));
    }
}
