package facet.jit.math;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Operations on packed elements, each written out element by element. */
class PackedTest {
    private static final int RANDOM_CASES = 50_000;

    @FunctionalInterface
    interface OnInts {
        int apply(int a, int b, int c);
    }

    record Case(Subject subject, OnInts expected) {
        @Override
        public String toString() {
            return subject.toString();
        }
    }

    /** d.b3 to d.b0 for each value of c[1:0], as in the table of the manual. */
    private static final String[][] PERMUTE_MODES = {
        {"prmtF4e", "3210", "4321", "5432", "6543"},
        {"prmtB4e", "5670", "6701", "7012", "0123"},
        {"prmtRc8", "0000", "1111", "2222", "3333"},
        {"prmtEcl", "3210", "3211", "3222", "3333"},
        {"prmtEcr", "0000", "1110", "2210", "3210"},
        {"prmtRc16", "1010", "3232", "1010", "3232"},
    };

    static List<Case> cases() {
        List<Case> cases = new ArrayList<>();
        for (String[] mode : PERMUTE_MODES) {
            add(
                    cases,
                    Packed.class,
                    mode[0],
                    (a, b, c) -> Manual.prmt(a, b, selectors(mode[1 + (c & 3)])));
        }
        add(
                cases,
                Packed.class,
                "prmt",
                (a, b, c) ->
                        Manual.prmt(
                                a, b, new int[] {c & 15, c >> 4 & 15, c >> 8 & 15, c >> 12 & 15}));
        for (boolean aSigned : new boolean[] {true, false}) {
            for (boolean bSigned : new boolean[] {true, false}) {
                String types = (aSigned ? "S32" : "U32") + (bSigned ? "S32" : "U32");
                add(
                        cases,
                        Packed.class,
                        "dp4a" + types,
                        (a, b, c) -> dot(a, b, c, 4, 8, 0, aSigned, bSigned));
                add(
                        cases,
                        Packed.class,
                        "dp2aLo" + types,
                        (a, b, c) -> dot(a, b, c, 2, 16, 0, aSigned, bSigned));
                add(
                        cases,
                        Packed.class,
                        "dp2aHi" + types,
                        (a, b, c) -> dot(a, b, c, 2, 16, 2, aSigned, bSigned));
            }
        }
        for (boolean signed : new boolean[] {true, false}) {
            String type = signed ? "S16x2" : "U16x2";
            pairs(cases, "add" + type, signed, Math::addExact);
            pairs(cases, "min" + type, signed, Math::min);
            pairs(cases, "max" + type, signed, Math::max);
        }
        pairs(cases, "minReluS16x2", true, (a, b) -> Math.max(0, Math.min(a, b)));
        pairs(cases, "maxReluS16x2", true, (a, b) -> Math.max(0, Math.max(a, b)));
        elementwise(cases, F16x2.class, F16.class);
        elementwise(cases, BF16x2.class, BF16.class);
        return cases;
    }

    private static int[] selectors(String row) {
        int[] selectors = new int[4];
        for (int i = 0; i < 4; i++) {
            selectors[i] = row.charAt(3 - i) - '0';
        }
        return selectors;
    }

    private static int element(int packed, int index, int width, boolean signed) {
        long bits = (packed & 0xffff_ffffL) >>> index * width;
        return (signed ? Integers.signed(bits, width) : Integers.unsigned(bits, width)).intValue();
    }

    private static int dot(
            int a, int b, int c, int count, int width, int from, boolean aSigned, boolean bSigned) {
        int sum = c;
        for (int i = 0; i < count; i++) {
            sum += element(a, i, width, aSigned) * element(b, from + i, 8, bSigned);
        }
        return sum;
    }

    @FunctionalInterface
    interface Pair {
        int apply(int a, int b);
    }

    private static void pairs(List<Case> cases, String name, boolean signed, Pair operation) {
        add(
                cases,
                Packed.class,
                name,
                (a, b, c) -> {
                    int low = operation.apply(element(a, 0, 16, signed), element(b, 0, 16, signed));
                    int high =
                            operation.apply(element(a, 1, 16, signed), element(b, 1, 16, signed));
                    return low & 0xffff | high << 16;
                });
    }

    /** Every public method of the packed class is its namesake on both halves. */
    private static void elementwise(List<Case> cases, Class<?> packed, Class<?> single) {
        for (var method : packed.getDeclaredMethods()) {
            if (method.isSynthetic()) {
                continue;
            }
            Subject scalar = Subject.of(single, method.getName());
            add(
                    cases,
                    packed,
                    method.getName(),
                    (a, b, c) -> {
                        long low = scalar.call(a & 0xffff, b & 0xffff, c & 0xffff);
                        long high = scalar.call(a >>> 16, b >>> 16, c >>> 16);
                        return (int) (low | high << 16);
                    });
        }
    }

    private static void add(List<Case> cases, Class<?> owner, String name, OnInts expected) {
        cases.add(new Case(Subject.of(owner, name), expected));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void agreesElementByElement(Case test) {
        int[] edges = {0, 1, -1, 0x7fff_8000, 0x8000_7fff, 0x7f80_7c00, 0x8080_8080, 0x7f7f_7f7f};
        for (int a : edges) {
            for (int b : edges) {
                for (int c : edges) {
                    check(test, a, b, c);
                }
            }
        }
        SplittableRandom random = new SplittableRandom(Values.SEED);
        for (int i = 0; i < RANDOM_CASES; i++) {
            int c = (int) Integers.random(random, 32);
            check(test, (int) Integers.random(random, 32), (int) Integers.random(random, 32), c);
        }
    }

    private static void check(Case test, int a, int b, int c) {
        int expected = test.expected.apply(a, b, c);
        int actual = (int) test.subject.call(a, b, c);
        if (expected != actual) {
            assertEquals(
                    Integer.toHexString(expected),
                    Integer.toHexString(actual),
                    "%s of 0x%x 0x%x 0x%x%s".formatted(test, a, b, c, Values.seed()));
        }
    }
}
