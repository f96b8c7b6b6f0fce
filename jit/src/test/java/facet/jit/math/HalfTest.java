package facet.jit.math;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntBinaryOperator;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** f16 and bf16 arithmetic: every first operand with the edges and a stride of second operands. */
class HalfTest {
    private static final int STRIDE = 1021;

    @FunctionalInterface
    interface Fma {
        int apply(int a, int b, int c);
    }

    record Type(
            Format format,
            IntBinaryOperator add,
            IntBinaryOperator sub,
            IntBinaryOperator mul,
            Fma fma,
            Fma fmaRelu,
            IntUnaryOperator ftz,
            IntUnaryOperator relu,
            IntUnaryOperator satfinite) {
        @Override
        public String toString() {
            return format.toString();
        }
    }

    static List<Type> types() {
        return List.of(
                new Type(
                        Format.F16,
                        F16::add,
                        F16::sub,
                        F16::mul,
                        F16::fma,
                        F16::fmaRelu,
                        F16::ftz,
                        F16::relu,
                        F16::satfinite),
                new Type(
                        Format.BF16,
                        BF16::add,
                        BF16::sub,
                        BF16::mul,
                        BF16::fma,
                        BF16::fmaRelu,
                        BF16::ftz,
                        BF16::relu,
                        BF16::satfinite));
    }

    private static int[] edges(Format format) {
        return LongStream.of(Values.edgeBits(format)).mapToInt(bits -> (int) bits).toArray();
    }

    private static int[] seconds(Format format) {
        IntStream stride = IntStream.iterate(7, b -> b < 0x10000, b -> b + STRIDE);
        return IntStream.concat(IntStream.of(edges(format)), stride).toArray();
    }

    private static void same(int expected, int actual, String operation, int... operands) {
        if (expected != actual) {
            StringBuilder text = new StringBuilder(operation);
            IntStream.of(operands).forEach(o -> text.append(" 0x").append(Integer.toHexString(o)));
            assertEquals(
                    Integer.toHexString(expected),
                    Integer.toHexString(actual),
                    text + Values.seed());
        }
    }

    @ParameterizedTest
    @MethodSource("types")
    void sumsAndProducts(Type type) {
        HalfReference reference = new HalfReference(type.format);
        for (int b : seconds(type.format)) {
            for (int a = 0; a < 0x10000; a++) {
                same(reference.add(a, b), type.add.applyAsInt(a, b), "add", a, b);
                same(reference.add(a, b ^ 0x8000), type.sub.applyAsInt(a, b), "sub", a, b);
                same(reference.multiply(a, b), type.mul.applyAsInt(a, b), "mul", a, b);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("types")
    void fusedAtEdges(Type type) {
        HalfReference reference = new HalfReference(type.format);
        int[] edges = edges(type.format);
        for (int c : edges) {
            for (int b : edges) {
                for (int a = 0; a < 0x10000; a += 13) {
                    checkFma(type, reference, a, b, c);
                    checkFma(type, reference, b, c, a);
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("types")
    void fusedAtRandom(Type type) {
        HalfReference reference = new HalfReference(type.format);
        SplittableRandom random = new SplittableRandom(Values.SEED);
        for (int i = 0; i < 3_000_000; i++) {
            long bits = random.nextLong();
            int a = (int) bits & 0xffff;
            int b = (int) (bits >>> 16) & 0xffff;
            int c = (int) (bits >>> 32) & 0xffff;
            checkFma(type, reference, a, b, c);
        }
    }

    private static void checkFma(Type type, HalfReference reference, int a, int b, int c) {
        int expected = reference.fma(a, b, c);
        same(expected, type.fma.apply(a, b, c), "fma", a, b, c);
        int clamped = expected == 0x7fff ? 0x7fff : expected >= 0x8000 ? 0 : expected;
        same(clamped, type.fmaRelu.apply(a, b, c), "fma.relu", a, b, c);
    }

    @ParameterizedTest
    @MethodSource("types")
    void referenceIsExact(Type type) {
        Format format = type.format;
        HalfReference reference = new HalfReference(format);
        Values values = new Values(format);
        for (int i = 0; i < 40_000; i++) {
            double a = values.next();
            double b = i % 2 == 0 ? values.next() : values.partner(a, values.nextExponent());
            double c = i % 3 == 0 ? values.next() : values.near(Math.abs(a * b) > 0 ? a * b : 1);
            long exact = ExactReference.fma(a, b, c, format, Rounding.RN);
            int expected = exact == ExactReference.NAN ? 0x7fff : (int) exact;
            int x = pattern(a, format);
            int y = pattern(b, format);
            int z = pattern(c, format);
            same(expected, reference.fma(x, y, z), "reference", x, y, z);
        }
    }

    private static int pattern(double value, Format format) {
        long exact = ExactReference.convert(value, format, Rounding.RN);
        return exact == ExactReference.NAN ? 0x7fff : (int) exact;
    }

    @ParameterizedTest
    @MethodSource("types")
    void clamps(Type type) {
        int infinity = (int) type.format.infinity();
        int smallestNormal = 1 << (type.format.precision - 1);
        for (int a = 0; a < 0x10000; a++) {
            int magnitude = a & 0x7fff;
            int sign = a & 0x8000;
            boolean nan = magnitude > infinity;
            same(magnitude < smallestNormal ? sign : a, type.ftz.applyAsInt(a), "ftz", a);
            same(nan ? 0x7fff : sign != 0 ? 0 : a, type.relu.applyAsInt(a), "relu", a);
            int finite = magnitude == infinity ? sign | infinity - 1 : a;
            same(finite, type.satfinite.applyAsInt(a), "satfinite", a);
            if (type.format == Format.F16) {
                double value = type.format.value(a);
                int saturated = value >= 1 ? 0x3c00 : value > 0 ? a : 0;
                same(saturated, F16.sat(a), "sat", a);
            }
        }
    }
}
