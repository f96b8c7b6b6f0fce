package facet.jit.math;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleBiFunction;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** min, max, comparisons, copysign and testp in the words of the manual (9.7.3, 9.7.4, 9.7.6). */
class OrderingTest {
    /** An operation on bit patterns. */
    @FunctionalInterface
    interface OnBits {
        long apply(long a, long b);
    }

    record Case(String name, Format format, OnBits expected, OnBits actual) {
        @Override
        public String toString() {
            return name + " " + format;
        }
    }

    private static final Format[] FORMATS = {Format.F16, Format.BF16, Format.F32, Format.F64};

    private static long canonical(Format format) {
        return format.signBit() - 1;
    }

    /** −0 below +0, NaN excluded. */
    private static boolean less(Format format, long a, long b) {
        double x = format.value(a);
        double y = format.value(b);
        return x < y || (x == 0 && y == 0 && a != 0 && b == 0);
    }

    private static long extreme(Format format, long a, long b, boolean min, boolean nan) {
        boolean first = format.isNan(a);
        boolean second = format.isNan(b);
        if ((first && second) || (nan && (first || second))) {
            return canonical(format);
        }
        if (first || second) {
            return first ? b : a;
        }
        return less(format, a, b) == min ? a : b;
    }

    private static long xorsign(Format format, long a, long b, boolean min, boolean nan) {
        long magnitude = format.signBit() - 1;
        long result = extreme(format, a & magnitude, b & magnitude, min, nan);
        return format.isNan(result) ? result : result | (a ^ b) & format.signBit();
    }

    static List<Case> cases() {
        List<Case> cases = new ArrayList<>();
        OnBits[][] minMax = {
            {half(F16::min), half(BF16::min), f32(F32::min), f64(F64::min)},
            {half(F16::max), half(BF16::max), f32(F32::max), f64(F64::max)},
            {half(F16::minNan), half(BF16::minNan), f32(F32::minNan)},
            {half(F16::maxNan), half(BF16::maxNan), f32(F32::maxNan)},
        };
        OnBits[][] xorsign = {
            {half(F16::minXorsignAbs), half(BF16::minXorsignAbs), f32(F32::minXorsignAbs)},
            {half(F16::maxXorsignAbs), half(BF16::maxXorsignAbs), f32(F32::maxXorsignAbs)},
            {half(F16::minNanXorsignAbs), half(BF16::minNanXorsignAbs), f32(F32::minNanXorsignAbs)},
            {half(F16::maxNanXorsignAbs), half(BF16::maxNanXorsignAbs), f32(F32::maxNanXorsignAbs)},
        };
        for (int variant = 0; variant < 4; variant++) {
            boolean min = variant % 2 == 0;
            boolean nan = variant >= 2;
            String name = (min ? "min" : "max") + (nan ? ".NaN" : "");
            for (int i = 0; i < minMax[variant].length; i++) {
                Format format = FORMATS[i];
                OnBits expected = (a, b) -> extreme(format, a, b, min, nan);
                cases.add(new Case(name, format, expected, minMax[variant][i]));
            }
            for (int i = 0; i < xorsign[variant].length; i++) {
                Format format = FORMATS[i];
                OnBits expected = (a, b) -> xorsign(format, a, b, min, nan);
                cases.add(new Case(name + ".xorsign.abs", format, expected, xorsign[variant][i]));
            }
        }
        cases.add(copysign(Format.F32, f32(F32::copysign)));
        cases.add(copysign(Format.F64, f64(F64::copysign)));
        comparisons(cases);
        return cases;
    }

    private static Case copysign(Format format, OnBits actual) {
        long sign = format.signBit();
        return new Case("copysign", format, (a, b) -> a & sign | b & (sign - 1), actual);
    }

    @FunctionalInterface
    interface Ordered {
        boolean holds(int sign);
    }

    /** Those of f16 and bf16 are those of f32. */
    private static void comparisons(List<Case> cases) {
        compare(cases, "lt", s -> s < 0, false, F32::lt, F64::lt);
        compare(cases, "le", s -> s <= 0, false, F32::le, F64::le);
        compare(cases, "gt", s -> s > 0, false, F32::gt, F64::gt);
        compare(cases, "ge", s -> s >= 0, false, F32::ge, F64::ge);
        compare(cases, "eq", s -> s == 0, false, F32::eq, F64::eq);
        compare(cases, "ne", s -> s != 0, false, F32::ne, F64::ne);
        compare(cases, "ltu", s -> s < 0, true, F32::ltu, F64::ltu);
        compare(cases, "leu", s -> s <= 0, true, F32::leu, F64::leu);
        compare(cases, "gtu", s -> s > 0, true, F32::gtu, F64::gtu);
        compare(cases, "geu", s -> s >= 0, true, F32::geu, F64::geu);
        compare(cases, "equ", s -> s == 0, true, F32::equ, F64::equ);
        compare(cases, "neu", s -> s != 0, true, F32::neu, F64::neu);
        compare(cases, "num", s -> true, false, F32::num, F64::num);
        compare(cases, "nan", s -> false, true, F32::nan, F64::nan);
    }

    @FunctionalInterface
    interface Compare32 {
        boolean test(float a, float b);
    }

    @FunctionalInterface
    interface Compare64 {
        boolean test(double a, double b);
    }

    private static void compare(
            List<Case> cases,
            String name,
            Ordered ordered,
            boolean unordered,
            Compare32 f32,
            Compare64 f64) {
        OnBits[] actual = {
            (a, b) -> f32.test(F16.toFloat((int) a), F16.toFloat((int) b)) ? 1 : 0,
            (a, b) -> f32.test(BF16.toFloat((int) a), BF16.toFloat((int) b)) ? 1 : 0,
            (a, b) ->
                    f32.test(Float.intBitsToFloat((int) a), Float.intBitsToFloat((int) b)) ? 1 : 0,
            (a, b) -> f64.test(Double.longBitsToDouble(a), Double.longBitsToDouble(b)) ? 1 : 0,
        };
        for (int i = 0; i < actual.length; i++) {
            Format format = FORMATS[i];
            OnBits expected =
                    (a, b) -> {
                        if (format.isNan(a) || format.isNan(b)) {
                            return unordered ? 1 : 0;
                        }
                        double difference = format.value(a) > format.value(b) ? 1 : -1;
                        int sign = format.value(a) == format.value(b) ? 0 : (int) difference;
                        return ordered.holds(sign) ? 1 : 0;
                    };
            cases.add(new Case(name, format, expected, actual[i]));
        }
    }

    @FunctionalInterface
    interface Half {
        int apply(int a, int b);
    }

    @FunctionalInterface
    interface Single {
        float apply(float a, float b);
    }

    private static OnBits half(Half operation) {
        return (a, b) -> operation.apply((int) a, (int) b);
    }

    private static OnBits f32(Single operation) {
        return (a, b) ->
                Float.floatToRawIntBits(
                                operation.apply(
                                        Float.intBitsToFloat((int) a),
                                        Float.intBitsToFloat((int) b)))
                        & 0xffff_ffffL;
    }

    private static OnBits f64(ToDoubleBiFunction<Double, Double> operation) {
        return (a, b) ->
                Double.doubleToRawLongBits(
                        operation.applyAsDouble(
                                Double.longBitsToDouble(a), Double.longBitsToDouble(b)));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void agreesWithTheManual(Case test) {
        long[] edges = Values.edgeBits(test.format);
        for (long a : edges) {
            for (long b : edges) {
                check(test, a, b);
            }
        }
        if (test.format.precision < 24) {
            for (long a = 0; a < 0x10000; a++) {
                for (int i = 0; i < edges.length; i += 5) {
                    check(test, a, edges[i]);
                    check(test, edges[i], a);
                }
            }
        }
    }

    private static void check(Case test, long a, long b) {
        long expected = test.expected.apply(a, b);
        long actual = test.actual.apply(a, b);
        if (expected != actual) {
            assertEquals(
                    Long.toHexString(expected),
                    Long.toHexString(actual),
                    test + " " + Long.toHexString(a) + " " + Long.toHexString(b));
        }
    }
}
