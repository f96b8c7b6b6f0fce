package facet.jit.math;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Integer arithmetic of all widths against BigInteger (PTX ISA 9.0, 9.7.1). */
class IntegerTest {
    private static final int RANDOM_CASES = 20_000;

    /** The result of an operation on exact numbers of the given width. */
    @FunctionalInterface
    interface Exact {
        BigInteger apply(BigInteger a, BigInteger b, BigInteger c, int width);
    }

    record Case(Subject subject, int width, int resultWidth, boolean signed, Exact exact) {
        @Override
        public String toString() {
            return subject.toString();
        }
    }

    static List<Case> cases() {
        List<Case> cases = new ArrayList<>();
        for (int width : new int[] {16, 32, 64}) {
            for (boolean signed : new boolean[] {true, false}) {
                typed(cases, "mulHi", width, signed, (a, b, c, w) -> a.multiply(b).shiftRight(w));
                typed(
                        cases,
                        "madHi",
                        width,
                        signed,
                        (a, b, c, w) -> a.multiply(b).shiftRight(w).add(c));
                typed(cases, "sad", width, signed, (a, b, c, w) -> a.subtract(b).abs().add(c));
                typed(cases, "div", width, signed, IntegerTest::divide);
                typed(
                        cases,
                        "rem",
                        width,
                        signed,
                        (a, b, c, w) -> b.signum() == 0 ? a : a.remainder(b));
                typed(cases, "min", width, signed, (a, b, c, w) -> a.min(b));
                typed(cases, "max", width, signed, (a, b, c, w) -> a.max(b));
                if (width < 64) {
                    wide(cases, "mulWide", width, signed, (a, b, c, w) -> a.multiply(b));
                    wide(cases, "madWide", width, signed, (a, b, c, w) -> a.multiply(b).add(c));
                }
            }
            typed(cases, "abs", width, true, (a, b, c, w) -> a.abs());
            plain(cases, "madLo", width, (a, b, c, w) -> a.multiply(b).add(c));
            plain(
                    cases,
                    "cnot",
                    width,
                    (a, b, c, w) -> a.signum() == 0 ? BigInteger.ONE : BigInteger.ZERO);
        }
        plain(cases, "add", 16, (a, b, c, w) -> a.add(b));
        plain(cases, "sub", 16, (a, b, c, w) -> a.subtract(b));
        plain(cases, "mulLo", 16, (a, b, c, w) -> a.multiply(b));
        plain(cases, "neg", 16, (a, b, c, w) -> a.negate());
        plain(cases, "not", 16, (a, b, c, w) -> a.not());
        plain(cases, "addSat", 32, (a, b, c, w) -> Integers.clamp(a.add(b), true, w));
        plain(cases, "subSat", 32, (a, b, c, w) -> Integers.clamp(a.subtract(b), true, w));
        plain(
                cases,
                "madHiSatS32",
                32,
                (a, b, c, w) -> Integers.clamp(a.multiply(b).shiftRight(w).add(c), true, w));
        plain(cases, "minReluS32", 32, (a, b, c, w) -> a.min(b).max(BigInteger.ZERO));
        plain(cases, "maxReluS32", 32, (a, b, c, w) -> a.max(b).max(BigInteger.ZERO));
        for (boolean signed : new boolean[] {true, false}) {
            typed(cases, "mul24Lo", 32, signed, (a, b, c, w) -> product24(a, b, signed));
            typed(cases, "mad24Lo", 32, signed, (a, b, c, w) -> product24(a, b, signed).add(c));
            typed(
                    cases,
                    "mul24Hi",
                    32,
                    signed,
                    (a, b, c, w) -> product24(a, b, signed).shiftRight(16));
            typed(
                    cases,
                    "mad24Hi",
                    32,
                    signed,
                    (a, b, c, w) -> product24(a, b, signed).shiftRight(16).add(c));
        }
        plain(
                cases,
                "mad24HiSatS32",
                32,
                (a, b, c, w) ->
                        Integers.clamp(product24(a, b, true).shiftRight(16).add(c), true, w));
        return cases;
    }

    private static BigInteger divide(BigInteger a, BigInteger b, BigInteger c, int width) {
        return b.signum() == 0 ? BigInteger.ONE.negate() : a.divide(b);
    }

    private static BigInteger product24(BigInteger a, BigInteger b, boolean signed) {
        long x = a.longValue();
        long y = b.longValue();
        return signed
                ? Integers.signed(x, 24).multiply(Integers.signed(y, 24))
                : Integers.unsigned(x, 24).multiply(Integers.unsigned(y, 24));
    }

    private static Class<?> owner(int width) {
        return width == 16 ? Int16.class : width == 32 ? Int32.class : Int64.class;
    }

    private static void typed(
            List<Case> cases, String name, int width, boolean signed, Exact exact) {
        String full = name + (signed ? "S" : "U") + width;
        cases.add(new Case(Subject.of(owner(width), full), width, width, signed, exact));
    }

    private static void wide(
            List<Case> cases, String name, int width, boolean signed, Exact exact) {
        String full = name + (signed ? "S" : "U") + width;
        cases.add(new Case(Subject.of(owner(width), full), width, 2 * width, signed, exact));
    }

    private static void plain(List<Case> cases, String name, int width, Exact exact) {
        cases.add(new Case(Subject.of(owner(width), name), width, width, true, exact));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void agreesWithExactArithmetic(Case test) {
        long[] edges = Integers.edges(test.width);
        long[] addends = test.subject.arity() < 3 ? new long[1] : Integers.edges(test.resultWidth);
        for (long a : edges) {
            for (long b : edges) {
                for (long c : addends) {
                    check(test, a, b, c);
                }
            }
        }
        SplittableRandom random = new SplittableRandom(Values.SEED);
        for (int i = 0; i < RANDOM_CASES; i++) {
            long a = Integers.random(random, test.width);
            check(
                    test,
                    a,
                    Integers.random(random, test.width),
                    Integers.random(random, test.resultWidth));
        }
        if (test.width == 16) {
            for (long a = 0; a < 0x10000; a++) {
                check(test, a, edges[(int) a % edges.length], 0x8001);
            }
        }
    }

    private static void check(Case test, long a, long b, long c) {
        BigInteger result =
                test.exact.apply(
                        read(test, a, test.width),
                        read(test, b, test.width),
                        read(test, c, test.resultWidth),
                        test.width);
        long expected = result.longValue() & Integers.mask(test.resultWidth);
        long actual = test.subject.call(a, b, c);
        if (expected != actual) {
            assertEquals(
                    Long.toHexString(expected),
                    Long.toHexString(actual),
                    "%s of 0x%x 0x%x 0x%x%s".formatted(test, a, b, c, Values.seed()));
        }
    }

    private static BigInteger read(Case test, long bits, int width) {
        return test.signed ? Integers.signed(bits, width) : Integers.unsigned(bits, width);
    }
}
