package facet.jit.runtime;

import static facet.jit.runtime.AccessUnsafe.UNSAFE;

import facet.jit.math.BF16;
import facet.jit.math.BF16x2;
import facet.jit.math.F16;
import facet.jit.math.F16x2;
import facet.jit.math.F32;
import facet.jit.math.F64;

/**
 * Atomic operations on memory that other workers may touch too. Each returns the old value.
 *
 * <p>SAFETY: addresses come from {@link AccessUnsafe}'s checks.
 */
public final class AtomicsUnsafe {
    private AtomicsUnsafe() {}

    public static int exchB32(long raw, int value) {
        return UNSAFE.getAndSetInt(null, raw, value);
    }

    public static long exchB64(long raw, long value) {
        return UNSAFE.getAndSetLong(null, raw, value);
    }

    public static int casB32(long raw, int expected, int value) {
        return UNSAFE.compareAndExchangeInt(null, raw, expected, value);
    }

    public static long casB64(long raw, long expected, long value) {
        return UNSAFE.compareAndExchangeLong(null, raw, expected, value);
    }

    public static int casB16(long raw, int expected, int value) {
        return UNSAFE.compareAndExchangeShort(null, raw, (short) expected, (short) value) & 0xffff;
    }

    public static int addB32(long raw, int value) {
        return UNSAFE.getAndAddInt(null, raw, value);
    }

    public static long addB64(long raw, long value) {
        return UNSAFE.getAndAddLong(null, raw, value);
    }

    /** What an operation makes of the old value and the operand. */
    private interface IntOperation {
        int apply(int old, int value);
    }

    private interface LongOperation {
        long apply(long old, long value);
    }

    private static int updateInt(long raw, int value, IntOperation operation) {
        int old = UNSAFE.getIntVolatile(null, raw);
        while (true) {
            int seen = UNSAFE.compareAndExchangeInt(null, raw, old, operation.apply(old, value));
            if (seen == old) {
                return old;
            }
            old = seen;
        }
    }

    private static long updateLong(long raw, long value, LongOperation operation) {
        long old = UNSAFE.getLongVolatile(null, raw);
        while (true) {
            long seen = UNSAFE.compareAndExchangeLong(null, raw, old, operation.apply(old, value));
            if (seen == old) {
                return old;
            }
            old = seen;
        }
    }

    private static int updateHalf(long raw, int value, IntOperation operation) {
        short old = UNSAFE.getShortVolatile(null, raw);
        while (true) {
            short next = (short) operation.apply(old & 0xffff, value);
            short seen = UNSAFE.compareAndExchangeShort(null, raw, old, next);
            if (seen == old) {
                return old & 0xffff;
            }
            old = seen;
        }
    }

    public static int minS32(long raw, int value) {
        return updateInt(raw, value, Math::min);
    }

    public static int maxS32(long raw, int value) {
        return updateInt(raw, value, Math::max);
    }

    public static int minU32(long raw, int value) {
        return updateInt(raw, value, (a, b) -> Integer.compareUnsigned(a, b) <= 0 ? a : b);
    }

    public static int maxU32(long raw, int value) {
        return updateInt(raw, value, (a, b) -> Integer.compareUnsigned(a, b) >= 0 ? a : b);
    }

    public static int andB32(long raw, int value) {
        return updateInt(raw, value, (a, b) -> a & b);
    }

    public static int orB32(long raw, int value) {
        return updateInt(raw, value, (a, b) -> a | b);
    }

    public static int xorB32(long raw, int value) {
        return updateInt(raw, value, (a, b) -> a ^ b);
    }

    public static int incU32(long raw, int value) {
        return updateInt(raw, value, (a, b) -> Integer.compareUnsigned(a, b) >= 0 ? 0 : a + 1);
    }

    public static int decU32(long raw, int value) {
        return updateInt(
                raw, value, (a, b) -> a == 0 || Integer.compareUnsigned(a, b) > 0 ? b : a - 1);
    }

    public static long minS64(long raw, long value) {
        return updateLong(raw, value, Math::min);
    }

    public static long maxS64(long raw, long value) {
        return updateLong(raw, value, Math::max);
    }

    public static long minU64(long raw, long value) {
        return updateLong(raw, value, (a, b) -> Long.compareUnsigned(a, b) <= 0 ? a : b);
    }

    public static long maxU64(long raw, long value) {
        return updateLong(raw, value, (a, b) -> Long.compareUnsigned(a, b) >= 0 ? a : b);
    }

    public static long andB64(long raw, long value) {
        return updateLong(raw, value, (a, b) -> a & b);
    }

    public static long orB64(long raw, long value) {
        return updateLong(raw, value, (a, b) -> a | b);
    }

    public static long xorB64(long raw, long value) {
        return updateLong(raw, value, (a, b) -> a ^ b);
    }

    public static int addF32(long raw, int value) {
        return updateInt(
                raw,
                value,
                (a, b) ->
                        Float.floatToRawIntBits(Float.intBitsToFloat(a) + Float.intBitsToFloat(b)));
    }

    /** On global memory PTX flushes subnormals of {@code atom.add.f32}. */
    public static int addFtzF32(long raw, int value) {
        return updateInt(
                raw,
                value,
                (a, b) ->
                        Float.floatToRawIntBits(
                                F32.ftz(
                                        F32.ftz(Float.intBitsToFloat(a))
                                                + F32.ftz(Float.intBitsToFloat(b)))));
    }

    public static int minF32(long raw, int value) {
        return updateInt(
                raw,
                value,
                (a, b) ->
                        Float.floatToRawIntBits(
                                F32.min(Float.intBitsToFloat(a), Float.intBitsToFloat(b))));
    }

    public static int maxF32(long raw, int value) {
        return updateInt(
                raw,
                value,
                (a, b) ->
                        Float.floatToRawIntBits(
                                F32.max(Float.intBitsToFloat(a), Float.intBitsToFloat(b))));
    }

    public static long addF64(long raw, long value) {
        return updateLong(
                raw,
                value,
                (a, b) ->
                        Double.doubleToRawLongBits(
                                Double.longBitsToDouble(a) + Double.longBitsToDouble(b)));
    }

    public static long minF64(long raw, long value) {
        return updateLong(
                raw,
                value,
                (a, b) ->
                        Double.doubleToRawLongBits(
                                F64.min(Double.longBitsToDouble(a), Double.longBitsToDouble(b))));
    }

    public static long maxF64(long raw, long value) {
        return updateLong(
                raw,
                value,
                (a, b) ->
                        Double.doubleToRawLongBits(
                                F64.max(Double.longBitsToDouble(a), Double.longBitsToDouble(b))));
    }

    public static int addF16(long raw, int value) {
        return updateHalf(raw, value, F16::add);
    }

    public static int minF16(long raw, int value) {
        return updateHalf(raw, value, F16::min);
    }

    public static int maxF16(long raw, int value) {
        return updateHalf(raw, value, F16::max);
    }

    public static int addBF16(long raw, int value) {
        return updateHalf(raw, value, BF16::add);
    }

    public static int minBF16(long raw, int value) {
        return updateHalf(raw, value, BF16::min);
    }

    public static int maxBF16(long raw, int value) {
        return updateHalf(raw, value, BF16::max);
    }

    public static int addF16X2(long raw, int value) {
        return updateInt(raw, value, F16x2::add);
    }

    public static int minF16X2(long raw, int value) {
        return updateInt(raw, value, F16x2::min);
    }

    public static int maxF16X2(long raw, int value) {
        return updateInt(raw, value, F16x2::max);
    }

    public static int addBF16X2(long raw, int value) {
        return updateInt(raw, value, BF16x2::add);
    }

    public static int minBF16X2(long raw, int value) {
        return updateInt(raw, value, BF16x2::min);
    }

    public static int maxBF16X2(long raw, int value) {
        return updateInt(raw, value, BF16x2::max);
    }
}
