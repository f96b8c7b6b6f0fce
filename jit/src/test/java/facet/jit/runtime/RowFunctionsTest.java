package facet.jit.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;

import facet.jit.math.F16;
import facet.jit.math.F16x2;
import facet.jit.math.F32;
import java.util.SplittableRandom;
import java.util.function.IntBinaryOperator;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Functions of rows give the bits that the functions of one value give. */
final class RowFunctionsTest {
    private static final int LANES = Lanes.COUNT;
    private static final int ROWS = 40_000;
    private static final int[] SPECIAL = {
        0,
        0x8000_0000,
        1,
        0x8000_0001,
        0x007f_ffff,
        0x0080_0000,
        0x3f80_0000,
        0xbf80_0000,
        0x7f7f_ffff,
        0xff7f_ffff,
        0x7f80_0000,
        0xff80_0000,
        0x7fc0_0000,
        0xffc0_1234,
        0x7f80_0001,
        0x4301_0000,
        0xc317_0000,
        0xc316_ffff,
        0x4300_ffff,
        0x4e80_0000,
        0x4e80_0001,
        0x3f35_04f3,
        0x3f35_04f4
    };

    private interface RowFunction {
        void apply(float[] from, float[] into);
    }

    private interface RowOperation {
        void apply(int[] a, int[] b, int[] into);
    }

    private static int draw(SplittableRandom random) {
        return switch (random.nextInt(4)) {
            case 0 -> SPECIAL[random.nextInt(SPECIAL.length)];
            case 1 -> Float.floatToRawIntBits((float) (random.nextDouble() * 300 - 150));
            case 2 -> Float.floatToRawIntBits((float) random.nextDouble());
            default -> random.nextInt();
        };
    }

    private static int bits(float value) {
        // Which NaN it is, PTX leaves open; both codes let the processor choose.
        return Float.floatToIntBits(value);
    }

    private static void compare(String name, UnaryOperator<Float> one, RowFunction row) {
        SplittableRandom random = new SplittableRandom(name.hashCode());
        float[] from = new float[LANES];
        float[] into = new float[LANES];
        for (int i = 0; i < ROWS; i++) {
            for (int lane = 0; lane < LANES; lane++) {
                from[lane] = Float.intBitsToFloat(draw(random));
            }
            row.apply(from, into);
            for (int lane = 0; lane < LANES; lane++) {
                float a = from[lane];
                assertEquals(bits(one.apply(a)), bits(into[lane]), () -> name + " of " + a);
            }
        }
    }

    @Test
    void functions() {
        compare("ex2", F32::ex2Approx, RowFunctions::ex2Row);
        compare("lg2", F32::lg2Approx, RowFunctions::lg2Row);
        compare("sin", F32::sinApprox, RowFunctions::sinRow);
        compare("cos", F32::cosApprox, RowFunctions::cosRow);
    }

    private static void compare(
            String name, int mask, IntBinaryOperator one, RowOperation operation) {
        SplittableRandom random = new SplittableRandom(name.hashCode());
        int[] a = new int[LANES];
        int[] b = new int[LANES];
        int[] into = new int[LANES];
        for (int i = 0; i < ROWS; i++) {
            for (int lane = 0; lane < LANES; lane++) {
                a[lane] = half(random) & mask;
                b[lane] = half(random) & mask;
            }
            operation.apply(a, b, into);
            for (int lane = 0; lane < LANES; lane++) {
                int x = a[lane];
                int y = b[lane];
                assertEquals(
                        one.applyAsInt(x, y),
                        into[lane],
                        () -> "%s of %x and %x".formatted(name, x, y));
            }
        }
    }

    /** Exponents near each other, and near the ends. */
    private static int half(SplittableRandom random) {
        int word = random.nextInt();
        return switch (random.nextInt(4)) {
            case 0 -> word & 0x83ff_83ff;
            case 1 -> word & 0x83ff_83ff | 0x7800_7800;
            case 2 -> word & 0x87ff_87ff | 0x3800_3800;
            default -> word;
        };
    }

    @Test
    void halves() {
        compare("add", 0xffff, F16::add, RowHalves::addF16Row);
        compare("sub", 0xffff, F16::sub, RowHalves::subF16Row);
        compare("mul", 0xffff, F16::mul, RowHalves::mulF16Row);
        compare("pairs of add", -1, F16x2::add, RowHalves::addH32Row);
        compare("pairs of sub", -1, F16x2::sub, RowHalves::subH32Row);
        compare("pairs of mul", -1, F16x2::mul, RowHalves::mulH32Row);
    }

    @Test
    void fusedHalves() {
        SplittableRandom random = new SplittableRandom(7);
        int[][] values = new int[4][LANES];
        for (int i = 0; i < ROWS; i++) {
            for (int lane = 0; lane < LANES; lane++) {
                for (int operand = 0; operand < 3; operand++) {
                    values[operand][lane] = half(random);
                }
            }
            RowHalves.fmaH32Row(values[0], values[1], values[2], values[3]);
            for (int lane = 0; lane < LANES; lane++) {
                int a = values[0][lane];
                int b = values[1][lane];
                int c = values[2][lane];
                assertEquals(
                        F16x2.fma(a, b, c),
                        values[3][lane],
                        () -> "fma of %x, %x and %x".formatted(a, b, c));
            }
        }
    }
}
