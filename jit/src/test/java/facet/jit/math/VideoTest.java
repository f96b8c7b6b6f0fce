package facet.jit.math;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.math.BigInteger;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.BinaryOperator;
import org.junit.jupiter.api.Test;

/** The packed video instructions, lane by lane on exact integers. */
class VideoTest {
    private static final int CASES = 3_000;
    private static final int FORMS = 64;
    private static final BigInteger TWO = BigInteger.TWO;

    @FunctionalInterface
    interface Operation {
        int apply(int a, int b, int c, int form);
    }

    private static BigInteger truth(boolean value) {
        return value ? BigInteger.ONE : BigInteger.ZERO;
    }

    /** Half way between two integers, away from zero. */
    private static BigInteger mean(BigInteger a, BigInteger b) {
        BigInteger sum = a.add(b);
        BigInteger magnitude = sum.abs().add(BigInteger.ONE).divide(TWO);
        return sum.signum() < 0 ? magnitude.negate() : magnitude;
    }

    private static final Map<Operation, BinaryOperator<BigInteger>> OPERATIONS =
            Map.ofEntries(
                    Map.entry(Video::vadd, BigInteger::add),
                    Map.entry(Video::vsub, BigInteger::subtract),
                    Map.entry(Video::vavrg, VideoTest::mean),
                    Map.entry(Video::vabsdiff, (a, b) -> a.subtract(b).abs()),
                    Map.entry(Video::vmin, BigInteger::min),
                    Map.entry(Video::vmax, BigInteger::max),
                    Map.entry(Video::vsetEq, (a, b) -> truth(a.equals(b))),
                    Map.entry(Video::vsetNe, (a, b) -> truth(!a.equals(b))),
                    Map.entry(Video::vsetLt, (a, b) -> truth(a.compareTo(b) < 0)),
                    Map.entry(Video::vsetLe, (a, b) -> truth(a.compareTo(b) <= 0)),
                    Map.entry(Video::vsetGt, (a, b) -> truth(a.compareTo(b) > 0)),
                    Map.entry(Video::vsetGe, (a, b) -> truth(a.compareTo(b) >= 0)));

    private static BigInteger lane(int word, int lane, int bits, boolean signed) {
        BigInteger field =
                BigInteger.valueOf(Integer.toUnsignedLong(word))
                        .shiftRight(lane * bits)
                        .mod(TWO.pow(bits));
        return signed && field.testBit(bits - 1) ? field.subtract(TWO.pow(bits)) : field;
    }

    private static int expected(
            BinaryOperator<BigInteger> operation, int a, int b, int c, int form) {
        int bits = (form & Video.BYTES) != 0 ? 8 : 16;
        boolean signed = (form & Video.SIGNED) != 0;
        BigInteger low = signed ? TWO.pow(bits - 1).negate() : BigInteger.ZERO;
        BigInteger high = low.add(TWO.pow(bits)).subtract(BigInteger.ONE);
        BigInteger sum = BigInteger.valueOf(c);
        BigInteger merged = BigInteger.ZERO;
        for (int lane = 0; lane < 32 / bits; lane++) {
            BigInteger value =
                    operation.apply(
                            lane(a, lane, bits, (form & Video.SIGNED_A) != 0),
                            lane(b, lane, bits, (form & Video.SIGNED_B) != 0));
            sum = sum.add(value);
            BigInteger kept = (form & Video.SAT) != 0 ? value.max(low).min(high) : value;
            merged = merged.add(kept.mod(TWO.pow(bits)).shiftLeft(lane * bits));
        }
        return ((form & Video.ADD) != 0 ? sum : merged).intValue();
    }

    @Test
    void agreesWithExactArithmeticInEveryForm() {
        SplittableRandom random = new SplittableRandom(20);
        OPERATIONS.forEach((operation, exact) -> {
            for (int i = 0; i < CASES; i++) {
                int form = i % FORMS;
                int a = random.nextInt();
                int b = i % 3 == 0 ? a ^ 0x80 << random.nextInt(25) : random.nextInt();
                int c = random.nextInt();
                assertEquals(
                        expected(exact, a, b, c, form),
                        operation.apply(a, b, c, form),
                        () -> "a=%x b=%x c=%x form=%d".formatted(a, b, c, form));
            }
        });
    }
}
