package facet.jit.math;

/**
 * The bit operations as the manual spells them, one bit at a time (PTX ISA 9.0, 9.7.1, 9.7.8,
 * 9.7.9.7). Operands and results are bit patterns; positions and lengths 32-bit patterns.
 */
final class Manual {
    private static final int NOT_FOUND = -1;

    private Manual() {}

    private static boolean bit(long value, int index) {
        return (value >>> index & 1) != 0;
    }

    static long bfe(long a, long b, long c, boolean signed, int width) {
        int msb = width - 1;
        int pos = (int) b & 0xff;
        int len = (int) c & 0xff;
        boolean sbit = signed && len != 0 && bit(a, Math.min(pos + len - 1, msb));
        long d = 0;
        for (int i = 0; i <= msb; i++) {
            boolean set = i < len && pos + i <= msb ? bit(a, pos + i) : sbit;
            d |= set ? 1L << i : 0;
        }
        return d;
    }

    static long bfi(long a, long b, long c, long d, int width) {
        int pos = (int) c & 0xff;
        int len = (int) d & 0xff;
        long f = b;
        for (int i = 0; i < len && pos + i <= width - 1; i++) {
            f = f & ~(1L << (pos + i)) | (bit(a, i) ? 1L << (pos + i) : 0);
        }
        return f;
    }

    static int bfind(long operand, boolean signed, boolean shiftamt, int width) {
        int msb = width - 1;
        long a = signed && bit(operand, msb) ? ~operand : operand;
        for (int i = msb; i >= 0; i--) {
            if (bit(a, i)) {
                return shiftamt ? msb - i : i;
            }
        }
        return NOT_FOUND;
    }

    static int fns(int mask, int base, int offset) {
        if (offset == 0) {
            return bit(mask, base) ? base : NOT_FOUND;
        }
        long count = Math.abs((long) offset) - 1;
        for (int pos = base; pos >= 0 && pos < 32; pos += offset > 0 ? 1 : -1) {
            if (bit(mask, pos) && count-- == 0) {
                return pos;
            }
        }
        return NOT_FOUND;
    }

    static int szext(int a, int b, boolean clamp, boolean signed) {
        int b1 = b & 0x1f;
        boolean tooLarge = Integer.compareUnsigned(b, 32) >= 0 && clamp;
        int mask = tooLarge ? 0 : ~0 << b1;
        int signPos = (b1 - 1) & 0x1f;
        boolean signBit = b1 != 0 && !tooLarge && signed && bit(a, signPos);
        return a & ~mask | (signBit ? mask : 0);
    }

    static int bmsk(int a, int b, boolean clamp) {
        int a1 = a & 0x1f;
        int mask0 = ~0 << a1;
        int b1 = b & 0x1f;
        int sum = a1 + b1;
        int mask1 = ~0 << sum;
        boolean positionOverflow = clamp && Integer.compareUnsigned(a, 32) >= 0;
        boolean widthOverflow = clamp && Integer.compareUnsigned(b, 32) >= 0;
        if (positionOverflow) {
            mask0 = 0;
        }
        if (sum >= 32 || positionOverflow || widthOverflow) {
            mask1 = 0;
        } else if (b1 == 0) {
            mask1 = ~0;
        }
        return mask0 & ~mask1;
    }

    static int lop3(int a, int b, int c, int lut) {
        int d = 0;
        for (int i = 0; i < 32; i++) {
            int index = (bit(a, i) ? 4 : 0) | (bit(b, i) ? 2 : 0) | (bit(c, i) ? 1 : 0);
            d |= bit(lut, index) ? 1 << i : 0;
        }
        return d;
    }

    static int shf(int a, int b, int c, boolean left, boolean clamp) {
        long n = clamp ? Math.min(Integer.toUnsignedLong(c), 32) : c & 0x1f;
        long low = Integer.toUnsignedLong(a);
        long high = Integer.toUnsignedLong(b);
        return (int) (left ? high << n | low >>> (32 - n) : high << (32 - n) | low >>> n);
    }

    static long shift(long a, long b, boolean left, boolean signed, int width) {
        long n = Math.min(b & 0xffff_ffffL, width);
        long result = a;
        for (long i = 0; i < n; i++) {
            long fill = signed && bit(result, width - 1) ? 1L << (width - 1) : 0;
            result = left ? result << 1 & Integers.mask(width) : result >>> 1 | fill;
        }
        return result;
    }

    static int prmt(int a, int b, int[] selectors) {
        long source = Integer.toUnsignedLong(b) << 32 | Integer.toUnsignedLong(a);
        int d = 0;
        for (int i = 0; i < 4; i++) {
            int value = (int) (source >>> (selectors[i] & 7) * 8) & 0xff;
            boolean replicate = (selectors[i] & 8) != 0;
            int picked = replicate ? (value >= 0x80 ? 0xff : 0) : value;
            d |= picked << 8 * i;
        }
        return d;
    }
}
