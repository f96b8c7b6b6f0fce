package facet.jit.math;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Rounds to one of the neighbours, upwards for just as many random numbers as the value is near.
 */
class StochasticTest {
    private static float half(int bits) {
        return F16.toFloat(bits & 0xffff);
    }

    @Test
    void exactValuesStay() {
        for (int bits = 0; bits < 0x7c00; bits += 7) {
            float value = F16.toFloat(bits);
            assertEquals(bits * 0x10001, Stochastic.f32ToF16x2Rs(value, value, -1));
            assertEquals(bits * 0x10001, Stochastic.f32ToF16x2Rs(value, value, 0));
        }
    }

    @Test
    void chancesAreProportional() {
        for (float value : new float[] {1 + 0x1p-12f, -3.0f - 0x1.8p-10f, 0x1p-24f * 1.25f}) {
            float down = half(F16.fromFloatRz(value));
            int ups = 0;
            for (int random = 0; random < 1 << 13; random++) {
                float result = half(Stochastic.f32ToF16x2Rs(0, value, random | 0xe000));
                assertTrue(Math.abs(result) >= Math.abs(down));
                ups += result != down ? 1 : 0;
            }
            float up = half(F16.fromFloatRz(value) + 1);
            assertEquals((value - down) / (up - down) * (1 << 13), ups, 0.01);
        }
    }

    @Test
    void halvesHaveTheirOwnBits() {
        float between = 1 + 0x1p-11f;
        assertEquals(0x3c01_3c00, Stochastic.f32ToF16x2Rs(between, between, 0x1fff_0000));
        assertEquals(0x3c00_3c01, Stochastic.f32ToF16x2Rs(between, between, 0x0000_1fff));
        float wide = 1 + 0x1p-8f;
        assertEquals(0x3f81_3f80, Stochastic.f32ToBf16x2Rs(wide, wide, 0xffff_0000));
        assertEquals(0x3f80_3f81, Stochastic.f32ToBf16x2Rs(wide, wide, 0x0000_ffff));
    }

    @Test
    void bfloatsAreNeighbours() {
        SplittableRandom random = new SplittableRandom(3);
        for (int i = 0; i < 100_000; i++) {
            int bits = random.nextInt() & 0x7f7f_ffff;
            int r = random.nextInt(1 << 16);
            int expected = bits + r >>> 16; // the carry runs into the exponent
            int result = Stochastic.f32ToBf16x2Rs(0, Float.intBitsToFloat(bits), r);
            assertEquals(expected, result & 0xffff);
        }
    }
}
