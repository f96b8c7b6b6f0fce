package facet.jit.math;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.SplittableRandom;
import java.util.function.DoubleUnaryOperator;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Approximations of f16 and bf16 (all operands), of f64, and the corners of div.approx. */
class ApproximateWordTest {
    record Half(
            String name,
            Format format,
            IntUnaryOperator subject,
            DoubleUnaryOperator exact,
            boolean relative,
            double limit) {
        @Override
        public String toString() {
            return name + " " + format;
        }
    }

    static List<Half> halves() {
        DoubleUnaryOperator power = a -> StrictMath.pow(2, a);
        return List.of(
                new Half("ex2", Format.F16, F16::ex2Approx, power, true, -9.9),
                new Half("ex2", Format.BF16, BF16::ex2Approx, power, true, -7),
                new Half("tanh", Format.F16, F16::tanhApprox, StrictMath::tanh, false, -10.987),
                new Half("tanh", Format.BF16, BF16::tanhApprox, StrictMath::tanh, false, -8));
    }

    @ParameterizedTest
    @MethodSource("halves")
    void everyHalfIsWithinTheBound(Half test) {
        double smallestNormal = test.format.value(1L << (test.format.precision - 1));
        double halfOfLastPlace = test.format.value(1) / 2;
        for (int a = 0; a < 0x10000; a++) {
            double exact = test.exact.applyAsDouble(test.format.value(a));
            int actual = test.subject.applyAsInt(a);
            if (Double.isNaN(exact)) {
                assertEquals(0x7fff, actual);
                continue;
            }
            double nearest =
                    test.format.value(ExactReference.convert(exact, test.format, Rounding.RN));
            double found = test.format.value(actual);
            if (found == nearest) {
                continue;
            }
            double scale = test.relative ? exact : 1;
            double limit =
                    exact < smallestNormal && test.relative
                            ? 2 * halfOfLastPlace
                            : scale * Math.pow(2, test.limit);
            assertTrue(
                    Math.abs(found - exact) <= limit,
                    test + " of 0x" + Integer.toHexString(a) + ": " + found + ", exact " + exact);
        }
    }

    @ParameterizedTest
    @CsvSource({
        // above 2^126 the reciprocal counts as zero
        "3.0, 1.0e38, 0.0",
        "-3.0, 1.0e38, -0.0",
        "3.0, -1.0e38, -0.0",
        "Infinity, 1.0e38, NaN",
        "-Infinity, 3.0e38, NaN",
        "1.0, Infinity, 0.0",
        "1.0, -Infinity, -0.0",
        "Infinity, Infinity, NaN",
        "NaN, 1.0e38, NaN",
        "1.0, NaN, NaN",
        "1.0, 0.0, Infinity",
        "0.0, 0.0, NaN",
        "Infinity, 2.0, Infinity",
    })
    void cornersOfDivision(float a, float b, float expected) {
        assertEquals(expected, F32.divApprox(a, b));
    }

    @ParameterizedTest
    @CsvSource({
        "rcpApproxFtz,   fff0000000000000, 8000000000000000",
        "rcpApproxFtz,   8000000100000000, fff0000000000000",
        "rcpApproxFtz,   8000000000000000, fff0000000000000",
        "rcpApproxFtz,   0000000000000000, 7ff0000000000000",
        "rcpApproxFtz,   000fffffffffffff, 7ff0000000000000",
        "rcpApproxFtz,   7ff0000000000000, 0000000000000000",
        "rcpApproxFtz,   fff8000000000001, 7fffffff00000000",
        // the lower word is not seen: this NaN reads as infinity
        "rcpApproxFtz,   7ff0000000000001, 0000000000000000",
        // 1/2^1023 is subnormal
        "rcpApproxFtz,   7fe0000000000000, 0000000000000000",
        "rcpApproxFtz,   4000000000000000, 3fe0000000000000",
        "rsqrtApproxFtz, fff0000000000000, 7fffffff00000000",
        "rsqrtApproxFtz, c000000000000000, 7fffffff00000000",
        "rsqrtApproxFtz, 8000000100000000, fff0000000000000",
        "rsqrtApproxFtz, 8000000000000000, fff0000000000000",
        "rsqrtApproxFtz, 0000000000000000, 7ff0000000000000",
        "rsqrtApproxFtz, 000fffffffffffff, 7ff0000000000000",
        "rsqrtApproxFtz, 7ff0000000000000, 0000000000000000",
        "rsqrtApproxFtz, 7ff8000000000000, 7fffffff00000000",
        "rsqrtApproxFtz, 4010000000000000, 3fe0000000000000",
        "rsqrtApprox,    4010000000000000, 3fe0000000000000",
        "rsqrtApprox,    8000000000000000, fff0000000000000",
        "rsqrtApprox,    7ff0000000000000, 0000000000000000",
    })
    void specialValuesOfF64(String name, String operand, String expected) {
        long bits = Subject.of(F64.class, name).call(Long.parseUnsignedLong(operand, 16));
        assertEquals(expected, "%016x".formatted(bits));
    }

    @Test
    void roughApproximationsOfF64() {
        SplittableRandom random = new SplittableRandom(Values.SEED);
        for (int i = 0; i < 100_000; i++) {
            double a = Math.scalb(random.nextDouble(1, 2), random.nextInt(-1000, 1000));
            assertEquals(1, F64.rcpApproxFtz(a) * a, 0x1p-18, () -> a + Values.seed());
            double root = F64.rsqrtApproxFtz(a);
            assertEquals(1, root * Math.sqrt(a), 0x1p-18, () -> a + Values.seed());
            assertEquals(1, F64.rsqrtApprox(a) * Math.sqrt(a), 0x1p-51, () -> a + Values.seed());
            assertEquals(0, (int) Double.doubleToRawLongBits(root), () -> a + Values.seed());
        }
    }
}
