package facet.jit.math;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.SplittableRandom;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The error bounds and special values that PTX ISA 9.0, 9.7.3 and 9.7.4 promise. */
class ApproximateTest {
    private static final int RANDOM_CASES = 300_000;
    private static final double PI = Math.PI;

    @FunctionalInterface
    interface Float32 {
        float apply(float a);
    }

    enum Error {
        ABSOLUTE,
        RELATIVE,
        /** Units in the last place of the correctly rounded f32 result. */
        ULP
    }

    record Bound(
            String name,
            Float32 subject,
            DoubleUnaryOperator exact,
            Error error,
            double limit,
            float from,
            float to) {
        @Override
        public String toString() {
            return name + " [" + from + ", " + to + "]";
        }
    }

    private static double log2(double a) {
        return StrictMath.log(a) / StrictMath.log(2);
    }

    private static double power2(double a) {
        double whole = Math.rint(a);
        return Math.scalb(StrictMath.exp((a - whole) * StrictMath.log(2)), (int) whole);
    }

    static List<Bound> bounds() {
        float max = Float.MAX_VALUE;
        float min = Float.MIN_VALUE;
        Error absolute = Error.ABSOLUTE;
        Error relative = Error.RELATIVE;
        return List.of(
                new Bound("ex2", F32::ex2Approx, ApproximateTest::power2, Error.ULP, 2, -150, 128),
                new Bound("ex2", F32::ex2Approx, ApproximateTest::power2, Error.ULP, 2, -1, 1),
                new Bound("ex2", F32::ex2Approx, ApproximateTest::power2, Error.ULP, 2, -160, -125),
                new Bound("lg2", F32::lg2Approx, ApproximateTest::log2, absolute, -22, 0.5f, 2),
                new Bound("lg2", F32::lg2Approx, ApproximateTest::log2, relative, -22, 2, max),
                new Bound("lg2", F32::lg2Approx, ApproximateTest::log2, relative, -22, min, 0.5f),
                new Bound(
                        "sin",
                        F32::sinApprox,
                        StrictMath::sin,
                        absolute,
                        -20.5,
                        (float) (-2 * PI),
                        (float) (2 * PI)),
                new Bound(
                        "sin",
                        F32::sinApprox,
                        StrictMath::sin,
                        absolute,
                        -14.7,
                        (float) (-100 * PI),
                        (float) (100 * PI)),
                new Bound(
                        "sin", F32::sinApprox, StrictMath::sin, absolute, -14.7, -0x1p40f, 0x1p40f),
                new Bound(
                        "cos",
                        F32::cosApprox,
                        StrictMath::cos,
                        absolute,
                        -20.5,
                        (float) (-2 * PI),
                        (float) (2 * PI)),
                new Bound(
                        "cos",
                        F32::cosApprox,
                        StrictMath::cos,
                        absolute,
                        -14.7,
                        (float) (-100 * PI),
                        (float) (100 * PI)),
                new Bound(
                        "cos", F32::cosApprox, StrictMath::cos, absolute, -14.7, -0x1p40f, 0x1p40f),
                new Bound("tanh", F32::tanhApprox, StrictMath::tanh, relative, -11, -10, 10),
                new Bound("tanh", F32::tanhApprox, StrictMath::tanh, relative, -11, -max, max),
                new Bound("tanh", F32::tanhApprox, StrictMath::tanh, relative, -11, 0x1p-120f, 1),
                new Bound("rcp", F32::rcpApprox, a -> 1 / a, Error.ULP, 1, min, max),
                new Bound("rcp", F32::rcpApprox, a -> 1 / a, Error.ULP, 1, -max, -min),
                new Bound(
                        "div",
                        a -> F32.divApprox(3, a),
                        a -> 3 / a,
                        Error.ULP,
                        2,
                        0x1p-126f,
                        0x1p126f),
                new Bound("div", a -> F32.divFull(a, 3), a -> a / 3, Error.ULP, 2, -max, max),
                new Bound("div", a -> F32.divFull(1, a), a -> 1 / a, Error.ULP, 2, min, max),
                new Bound("sqrt", F32::sqrtApprox, StrictMath::sqrt, relative, -23, min, max),
                new Bound(
                        "rsqrt",
                        F32::rsqrtApprox,
                        a -> 1 / StrictMath.sqrt(a),
                        relative,
                        -22.9,
                        min,
                        max));
    }

    /** Limits of absolute and relative errors are exponents of two. */
    @ParameterizedTest
    @MethodSource("bounds")
    void staysWithinTheBound(Bound bound) {
        SplittableRandom random = new SplittableRandom(Values.SEED);
        double worst = 0;
        float worstAt = 0;
        for (int i = 0; i < RANDOM_CASES; i++) {
            float a = operand(bound, random, i);
            double exact = bound.exact.applyAsDouble(a);
            float actual = bound.subject.apply(a);
            double error = error(bound.error, exact, actual);
            if (error > worst) {
                worst = error;
                worstAt = a;
            }
        }
        double limit = bound.error == Error.ULP ? bound.limit : Math.pow(2, bound.limit);
        float at = worstAt;
        double found = worst;
        assertTrue(
                worst <= limit,
                () -> bound + ": error " + found + " above " + limit + " at " + at + Values.seed());
    }

    /** The ends, then alternately uniform in value and uniform in bits. */
    private static float operand(Bound bound, SplittableRandom random, int i) {
        if (i < 2) {
            return i == 0 ? bound.from : bound.to;
        }
        if (i % 2 == 0) {
            return (float) (bound.from + random.nextDouble() * ((double) bound.to - bound.from));
        }
        float from = bound.from < 0 && bound.to > 0 ? Float.MIN_VALUE : Math.abs(bound.from);
        int low = Float.floatToRawIntBits(Math.min(from, Math.abs(bound.to)));
        int high = Float.floatToRawIntBits(Math.max(from, Math.abs(bound.to)));
        float magnitude = Float.intBitsToFloat(random.nextInt(low, high));
        boolean negative = bound.to <= 0 || (bound.from < 0 && random.nextBoolean());
        return negative && -magnitude >= bound.from ? -magnitude : magnitude;
    }

    private static double error(Error kind, double exact, float actual) {
        if (exact == actual) {
            return 0;
        }
        if (actual != actual) {
            return Double.POSITIVE_INFINITY;
        }
        double difference = Math.abs(actual - exact);
        return switch (kind) {
            case ABSOLUTE -> difference;
            // The bound of a relative error ends where f32 has no more digits.
            case RELATIVE ->
                    Math.abs(exact) < Float.MIN_NORMAL
                            ? (difference <= Float.MIN_VALUE ? 0 : difference / Math.abs(exact))
                            : difference / Math.abs(exact);
            case ULP -> Math.abs((double) ordinal(actual) - ordinal((float) exact));
        };
    }

    private static int ordinal(float value) {
        int bits = Float.floatToRawIntBits(value);
        return bits < 0 ? Integer.MIN_VALUE - bits : bits;
    }

    /** Results of −infinity, −1, −0, +0 and +infinity. */
    @ParameterizedTest
    @CsvSource({
        "rcpApprox,   -0.0, -1.0, -Infinity, Infinity, 0.0",
        "sqrtApprox,  NaN, NaN, -0.0, 0.0, Infinity",
        "rsqrtApprox, NaN, NaN, -Infinity, Infinity, 0.0",
        "sinApprox,   NaN, -0.84147096, -0.0, 0.0, NaN",
        "cosApprox,   NaN, 0.5403023, 1.0, 1.0, NaN",
        "lg2Approx,   NaN, NaN, -Infinity, -Infinity, Infinity",
        "ex2Approx,   0.0, 0.5, 1.0, 1.0, Infinity",
        "tanhApprox,  -1.0, -0.7615942, -0.0, 0.0, 1.0",
    })
    void specialValuesOfF32(
            String name,
            float below,
            float ofMinusOne,
            float ofMinusZero,
            float ofZero,
            float above) {
        Subject subject = Subject.of(F32.class, name);
        expect(below, subject, Float.NEGATIVE_INFINITY);
        long minusOne = subject.call(Float.floatToRawIntBits(-1.0f));
        assertEquals(ofMinusOne, Float.intBitsToFloat((int) minusOne), 1e-6f);
        expect(ofMinusZero, subject, -0.0f);
        expect(ofZero, subject, 0.0f);
        expect(above, subject, Float.POSITIVE_INFINITY);
        expect(Float.NaN, subject, Float.NaN);
    }

    private static void expect(float expected, Subject subject, float operand) {
        long bits = subject.call(Float.floatToRawIntBits(operand));
        assertEquals(expected, Float.intBitsToFloat((int) bits), subject + " of " + operand);
    }
}
