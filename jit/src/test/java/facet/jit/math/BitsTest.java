package facet.jit.math;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Bit fields, searches and shifts against {@link Manual}. */
class BitsTest {
    private static final int RANDOM_CASES = 30_000;

    @FunctionalInterface
    interface OnBits {
        long apply(long[] operands);
    }

    record Case(Subject subject, int width, OnBits expected) {
        @Override
        public String toString() {
            return subject.toString();
        }
    }

    static List<Case> cases() {
        List<Case> cases = new ArrayList<>();
        for (int width : new int[] {32, 64}) {
            Class<?> owner = width == 32 ? Int32.class : Int64.class;
            for (boolean signed : new boolean[] {true, false}) {
                String type = (signed ? "S" : "U") + width;
                add(
                        cases,
                        owner,
                        "bfe" + type,
                        width,
                        o -> Manual.bfe(o[0], o[1], o[2], signed, width));
                add(
                        cases,
                        owner,
                        "bfind" + type,
                        width,
                        o -> Manual.bfind(o[0], signed, false, width));
                add(
                        cases,
                        owner,
                        "bfindShiftamt" + type,
                        width,
                        o -> Manual.bfind(o[0], signed, true, width));
            }
            add(cases, owner, "bfi", width, o -> Manual.bfi(o[0], o[1], o[2], o[3], width));
            add(
                    cases,
                    owner,
                    "popc",
                    width,
                    o -> Long.toBinaryString(o[0]).chars().filter(c -> c == '1').count());
            add(
                    cases,
                    owner,
                    "clz",
                    width,
                    o -> width - 1 - Manual.bfind(o[0], false, false, width));
            add(cases, owner, "brev", width, o -> reverse(o[0], width));
        }
        for (int width : new int[] {16, 32, 64}) {
            Class<?> owner = width == 16 ? Int16.class : width == 32 ? Int32.class : Int64.class;
            add(
                    cases,
                    owner,
                    "shlB" + width,
                    width,
                    o -> Manual.shift(o[0], o[1], true, false, width));
            add(
                    cases,
                    owner,
                    "shrU" + width,
                    width,
                    o -> Manual.shift(o[0], o[1], false, false, width));
            add(
                    cases,
                    owner,
                    "shrS" + width,
                    width,
                    o -> Manual.shift(o[0], o[1], false, true, width));
            add(cases, owner, "slctS32", width, o -> (int) o[2] >= 0 ? o[0] : o[1]);
            add(
                    cases,
                    owner,
                    "slctF32",
                    width,
                    o -> Float.intBitsToFloat((int) o[2]) >= 0 ? o[0] : o[1]);
        }
        for (boolean clamp : new boolean[] {true, false}) {
            String mode = clamp ? "Clamp" : "Wrap";
            bits32(
                    cases,
                    "szext" + mode + "S32",
                    o -> Manual.szext((int) o[0], (int) o[1], clamp, true));
            bits32(
                    cases,
                    "szext" + mode + "U32",
                    o -> Manual.szext((int) o[0], (int) o[1], clamp, false));
            bits32(cases, "bmsk" + mode, o -> Manual.bmsk((int) o[0], (int) o[1], clamp));
            bits32(
                    cases,
                    "shfL" + mode,
                    o -> Manual.shf((int) o[0], (int) o[1], (int) o[2], true, clamp));
            bits32(
                    cases,
                    "shfR" + mode,
                    o -> Manual.shf((int) o[0], (int) o[1], (int) o[2], false, clamp));
        }
        bits32(cases, "lop3", o -> Manual.lop3((int) o[0], (int) o[1], (int) o[2], (int) o[3]));
        return cases;
    }

    private static long reverse(long bits, int width) {
        long result = 0;
        for (int i = 0; i < width; i++) {
            result |= (bits >>> i & 1) << (width - 1 - i);
        }
        return result;
    }

    private static void bits32(List<Case> cases, String name, OnBits expected) {
        add(cases, Int32.class, name, 32, expected);
    }

    private static void add(
            List<Case> cases, Class<?> owner, String name, int width, OnBits expected) {
        cases.add(new Case(Subject.of(owner, name), width, expected));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void agreesWithTheManual(Case test) {
        long[] edges = Integers.edges(test.width);
        long[] amounts = {
            0, 1, 2, 7, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65, 255, 256, 0xffff_ffffL
        };
        for (long a : edges) {
            for (long amount : amounts) {
                check(test, a, amount, amount, amount);
                for (long b : edges) {
                    check(test, a, b, amount, 31 - amount);
                    check(test, a, amount, b & 0xffff_ffffL, 0xca);
                }
            }
        }
        SplittableRandom random = new SplittableRandom(Values.SEED);
        for (int i = 0; i < RANDOM_CASES; i++) {
            long a = Integers.random(random, test.width);
            long b = i % 2 == 0 ? Integers.random(random, test.width) : Integers.random(random, 6);
            check(
                    test,
                    a,
                    b,
                    Integers.random(random, i % 3 == 0 ? 32 : 7),
                    Integers.random(random, 8));
        }
    }

    private static void check(Case test, long... operands) {
        long expected = test.expected.apply(operands);
        long actual = test.subject.call(operands);
        long mask = test.subject.method().getReturnType() == long.class ? -1 : 0xffff_ffffL;
        if ((expected & mask) != actual) {
            assertEquals(
                    Long.toHexString(expected & mask),
                    Long.toHexString(actual),
                    "%s of 0x%x 0x%x 0x%x 0x%x%s"
                            .formatted(
                                    test,
                                    operands[0],
                                    operands[1],
                                    operands[2],
                                    operands[3],
                                    Values.seed()));
        }
    }

    @Test
    void findsTheNthSetBit() {
        int[] masks = {0, 1, -1, 0x8000_0000, 0x8000_0001, 0x5555_5555, 0x0ff0_0ff0};
        int[] offsets = {0, 1, 2, 3, 16, 31, 32, 33, -1, -2, -3, -16, -31, -32, -33};
        SplittableRandom random = new SplittableRandom(Values.SEED);
        for (int i = 0; i < 2000; i++) {
            int mask = i < masks.length ? masks[i] : (int) Integers.random(random, 32);
            for (int base = 0; base < 32; base++) {
                for (int offset : offsets) {
                    assertEquals(Manual.fns(mask, base, offset), Int32.fns(mask, base, offset));
                }
                assertEquals(-1, Int32.fns(mask, base, Integer.MIN_VALUE));
                assertEquals(-1, Int32.fns(mask, base, Integer.MAX_VALUE));
            }
        }
    }
}
