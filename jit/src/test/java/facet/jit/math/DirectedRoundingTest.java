package facet.jit.math;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.function.LongSupplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Directed rounding of f32 and f64 against {@link ExactReference}. */
class DirectedRoundingTest {
    private static final int RANDOM_CASES = 40_000;

    @FunctionalInterface
    interface Ternary {
        double apply(double a, double b, double c);
    }

    enum Operation {
        ADD,
        SUB,
        MUL,
        FMA,
        DIV,
        RCP,
        SQRT;

        long exact(double a, double b, double c, Format format, Rounding rounding) {
            return switch (this) {
                case ADD -> ExactReference.add(a, b, format, rounding);
                case SUB -> ExactReference.add(a, -b, format, rounding);
                case MUL -> ExactReference.multiply(a, b, format, rounding);
                case FMA -> ExactReference.fma(a, b, c, format, rounding);
                case DIV -> ExactReference.divide(a, b, format, rounding);
                case RCP -> ExactReference.divide(1, a, format, rounding);
                case SQRT -> ExactReference.root(a, format, rounding);
            };
        }
    }

    record Case(Format format, Operation operation, Rounding rounding, Ternary subject) {
        @Override
        public String toString() {
            return operation + " " + rounding + " " + format;
        }

        void check(double a, double b, double c) {
            long expected = operation.exact(a, b, c, format, rounding);
            double actual = subject.apply(a, b, c);
            LongSupplier bits =
                    () ->
                            format == Format.F32
                                    ? Float.floatToRawIntBits((float) actual) & 0xffff_ffffL
                                    : Double.doubleToRawLongBits(actual);
            long actualBits = Double.isNaN(actual) ? ExactReference.NAN : bits.getAsLong();
            if (expected != actualBits) {
                assertEquals(
                        Long.toHexString(expected),
                        Long.toHexString(actualBits),
                        () ->
                                this
                                        + " of %s (%a), %s (%a), %s (%a)"
                                                .formatted(a, a, b, b, c, c)
                                        + Values.seed());
            }
        }
    }

    @FunctionalInterface
    interface Ternary32 {
        float apply(float a, float b, float c);
    }

    private static Case f32(Operation operation, Rounding rounding, Ternary32 subject) {
        return new Case(
                Format.F32,
                operation,
                rounding,
                (a, b, c) -> subject.apply((float) a, (float) b, (float) c));
    }

    private static Case f64(Operation operation, Rounding rounding, Ternary subject) {
        return new Case(Format.F64, operation, rounding, subject);
    }

    static List<Case> cases() {
        return List.of(
                f32(Operation.ADD, Rounding.RZ, (a, b, c) -> F32.addRz(a, b)),
                f32(Operation.ADD, Rounding.RM, (a, b, c) -> F32.addRm(a, b)),
                f32(Operation.ADD, Rounding.RP, (a, b, c) -> F32.addRp(a, b)),
                f32(Operation.SUB, Rounding.RZ, (a, b, c) -> F32.subRz(a, b)),
                f32(Operation.SUB, Rounding.RM, (a, b, c) -> F32.subRm(a, b)),
                f32(Operation.SUB, Rounding.RP, (a, b, c) -> F32.subRp(a, b)),
                f32(Operation.MUL, Rounding.RZ, (a, b, c) -> F32.mulRz(a, b)),
                f32(Operation.MUL, Rounding.RM, (a, b, c) -> F32.mulRm(a, b)),
                f32(Operation.MUL, Rounding.RP, (a, b, c) -> F32.mulRp(a, b)),
                f32(Operation.FMA, Rounding.RN, F32::fmaRn),
                f32(Operation.FMA, Rounding.RZ, F32::fmaRz),
                f32(Operation.FMA, Rounding.RM, F32::fmaRm),
                f32(Operation.FMA, Rounding.RP, F32::fmaRp),
                f32(Operation.FMA, Rounding.RN, F32::madRn),
                f32(Operation.FMA, Rounding.RZ, F32::madRz),
                f32(Operation.FMA, Rounding.RM, F32::madRm),
                f32(Operation.FMA, Rounding.RP, F32::madRp),
                f32(Operation.DIV, Rounding.RN, (a, b, c) -> F32.divRn(a, b)),
                f32(Operation.DIV, Rounding.RZ, (a, b, c) -> F32.divRz(a, b)),
                f32(Operation.DIV, Rounding.RM, (a, b, c) -> F32.divRm(a, b)),
                f32(Operation.DIV, Rounding.RP, (a, b, c) -> F32.divRp(a, b)),
                f32(Operation.RCP, Rounding.RN, (a, b, c) -> F32.rcpRn(a)),
                f32(Operation.RCP, Rounding.RZ, (a, b, c) -> F32.rcpRz(a)),
                f32(Operation.RCP, Rounding.RM, (a, b, c) -> F32.rcpRm(a)),
                f32(Operation.RCP, Rounding.RP, (a, b, c) -> F32.rcpRp(a)),
                f32(Operation.SQRT, Rounding.RN, (a, b, c) -> F32.sqrtRn(a)),
                f32(Operation.SQRT, Rounding.RZ, (a, b, c) -> F32.sqrtRz(a)),
                f32(Operation.SQRT, Rounding.RM, (a, b, c) -> F32.sqrtRm(a)),
                f32(Operation.SQRT, Rounding.RP, (a, b, c) -> F32.sqrtRp(a)),
                f64(Operation.ADD, Rounding.RZ, (a, b, c) -> F64.addRz(a, b)),
                f64(Operation.ADD, Rounding.RM, (a, b, c) -> F64.addRm(a, b)),
                f64(Operation.ADD, Rounding.RP, (a, b, c) -> F64.addRp(a, b)),
                f64(Operation.SUB, Rounding.RZ, (a, b, c) -> F64.subRz(a, b)),
                f64(Operation.SUB, Rounding.RM, (a, b, c) -> F64.subRm(a, b)),
                f64(Operation.SUB, Rounding.RP, (a, b, c) -> F64.subRp(a, b)),
                f64(Operation.MUL, Rounding.RZ, (a, b, c) -> F64.mulRz(a, b)),
                f64(Operation.MUL, Rounding.RM, (a, b, c) -> F64.mulRm(a, b)),
                f64(Operation.MUL, Rounding.RP, (a, b, c) -> F64.mulRp(a, b)),
                f64(Operation.FMA, Rounding.RN, F64::fmaRn),
                f64(Operation.FMA, Rounding.RZ, F64::fmaRz),
                f64(Operation.FMA, Rounding.RM, F64::fmaRm),
                f64(Operation.FMA, Rounding.RP, F64::fmaRp),
                f64(Operation.FMA, Rounding.RN, F64::madRn),
                f64(Operation.FMA, Rounding.RZ, F64::madRz),
                f64(Operation.FMA, Rounding.RM, F64::madRm),
                f64(Operation.FMA, Rounding.RP, F64::madRp),
                f64(Operation.DIV, Rounding.RN, (a, b, c) -> F64.divRn(a, b)),
                f64(Operation.DIV, Rounding.RZ, (a, b, c) -> F64.divRz(a, b)),
                f64(Operation.DIV, Rounding.RM, (a, b, c) -> F64.divRm(a, b)),
                f64(Operation.DIV, Rounding.RP, (a, b, c) -> F64.divRp(a, b)),
                f64(Operation.RCP, Rounding.RN, (a, b, c) -> F64.rcpRn(a)),
                f64(Operation.RCP, Rounding.RZ, (a, b, c) -> F64.rcpRz(a)),
                f64(Operation.RCP, Rounding.RM, (a, b, c) -> F64.rcpRm(a)),
                f64(Operation.RCP, Rounding.RP, (a, b, c) -> F64.rcpRp(a)),
                f64(Operation.SQRT, Rounding.RN, (a, b, c) -> F64.sqrtRn(a)),
                f64(Operation.SQRT, Rounding.RZ, (a, b, c) -> F64.sqrtRz(a)),
                f64(Operation.SQRT, Rounding.RM, (a, b, c) -> F64.sqrtRm(a)),
                f64(Operation.SQRT, Rounding.RP, (a, b, c) -> F64.sqrtRp(a)));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void edges(Case test) {
        double[] edges = Values.edges(test.format);
        // Every third edge as addend keeps the cube small; the stride shares no factor with the
        // pairs of signs.
        int step = test.operation == Operation.FMA ? 3 : edges.length;
        for (double a : edges) {
            for (double b : edges) {
                for (int i = 0; i < edges.length; i += step) {
                    test.check(a, b, edges[i]);
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void random(Case test) {
        Values values = new Values(test.format);
        for (int i = 0; i < RANDOM_CASES; i++) {
            double a = values.next();
            boolean sum = test.operation == Operation.ADD || test.operation == Operation.SUB;
            double b = sum ? values.near(a) : values.partner(a, values.nextExponent());
            test.check(a, b, values.near(Math.abs(a * b) > 0 ? a * b : 1));
        }
    }
}
