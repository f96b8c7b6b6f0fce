package facet.jit.math;

/**
 * The packed video instructions (PTX ISA 9.0, 9.7.18): two or four lanes of 32 bits, each widened
 * as its operand's type says, so that no lane overflows before the result is cut.
 *
 * <p>Without {@link #ADD} the lanes are put side by side, cut to their width or with {@link #SAT}
 * clamped to it; with it the lanes are summed onto c.
 *
 * <p>The last parameter says how lanes are read and written: a sum of the constants.
 */
public final class Video {
    /** Four lanes of a byte; otherwise two of half a word. */
    public static final int BYTES = 1;

    public static final int SIGNED_A = 2;
    public static final int SIGNED_B = 4;

    /** The result is signed, which is where {@link #SAT} clamps. */
    public static final int SIGNED = 8;

    public static final int SAT = 16;
    public static final int ADD = 32;

    private Video() {}

    public static int vadd(int a, int b, int c, int form) {
        int d = start(c, form);
        for (int bit = 0; bit < 32; bit += width(form)) {
            d = put(d, bit, left(a, bit, form) + right(b, bit, form), form);
        }
        return d;
    }

    public static int vsub(int a, int b, int c, int form) {
        int d = start(c, form);
        for (int bit = 0; bit < 32; bit += width(form)) {
            d = put(d, bit, left(a, bit, form) - right(b, bit, form), form);
        }
        return d;
    }

    /** The mean, halves rounded away from zero. */
    public static int vavrg(int a, int b, int c, int form) {
        int d = start(c, form);
        for (int bit = 0; bit < 32; bit += width(form)) {
            int sum = left(a, bit, form) + right(b, bit, form);
            d = put(d, bit, (sum >= 0 ? sum + 1 : sum) >> 1, form);
        }
        return d;
    }

    public static int vabsdiff(int a, int b, int c, int form) {
        int d = start(c, form);
        for (int bit = 0; bit < 32; bit += width(form)) {
            d = put(d, bit, Math.abs(left(a, bit, form) - right(b, bit, form)), form);
        }
        return d;
    }

    public static int vmin(int a, int b, int c, int form) {
        int d = start(c, form);
        for (int bit = 0; bit < 32; bit += width(form)) {
            d = put(d, bit, Math.min(left(a, bit, form), right(b, bit, form)), form);
        }
        return d;
    }

    public static int vmax(int a, int b, int c, int form) {
        int d = start(c, form);
        for (int bit = 0; bit < 32; bit += width(form)) {
            d = put(d, bit, Math.max(left(a, bit, form), right(b, bit, form)), form);
        }
        return d;
    }

    public static int vsetEq(int a, int b, int c, int form) {
        int d = start(c, form);
        for (int bit = 0; bit < 32; bit += width(form)) {
            d = put(d, bit, left(a, bit, form) == right(b, bit, form) ? 1 : 0, form);
        }
        return d;
    }

    public static int vsetNe(int a, int b, int c, int form) {
        int d = start(c, form);
        for (int bit = 0; bit < 32; bit += width(form)) {
            d = put(d, bit, left(a, bit, form) != right(b, bit, form) ? 1 : 0, form);
        }
        return d;
    }

    public static int vsetLt(int a, int b, int c, int form) {
        int d = start(c, form);
        for (int bit = 0; bit < 32; bit += width(form)) {
            d = put(d, bit, left(a, bit, form) < right(b, bit, form) ? 1 : 0, form);
        }
        return d;
    }

    public static int vsetLe(int a, int b, int c, int form) {
        int d = start(c, form);
        for (int bit = 0; bit < 32; bit += width(form)) {
            d = put(d, bit, left(a, bit, form) <= right(b, bit, form) ? 1 : 0, form);
        }
        return d;
    }

    public static int vsetGt(int a, int b, int c, int form) {
        return vsetLt(b, a, c, swapped(form));
    }

    public static int vsetGe(int a, int b, int c, int form) {
        return vsetLe(b, a, c, swapped(form));
    }

    private static int swapped(int form) {
        int others = form & ~(SIGNED_A | SIGNED_B);
        return others | (form & SIGNED_A) << 1 | (form & SIGNED_B) >> 1;
    }

    private static int width(int form) {
        return (form & BYTES) != 0 ? 8 : 16;
    }

    private static int left(int a, int bit, int form) {
        return lane(a, bit, form, SIGNED_A);
    }

    private static int right(int b, int bit, int form) {
        return lane(b, bit, form, SIGNED_B);
    }

    private static int lane(int word, int bit, int form, int signed) {
        int top = word << (32 - width(form) - bit);
        return (form & signed) != 0 ? top >> (32 - width(form)) : top >>> (32 - width(form));
    }

    private static int start(int c, int form) {
        return (form & ADD) != 0 ? c : 0;
    }

    private static int put(int d, int bit, int value, int form) {
        if ((form & ADD) != 0) {
            return d + value;
        }
        int bits = width(form);
        int result = value;
        if ((form & SAT) != 0) {
            int low = (form & SIGNED) != 0 ? -1 << (bits - 1) : 0;
            result = Math.clamp(value, low, low + (1 << bits) - 1);
        }
        return d | (result & (1 << bits) - 1) << bit;
    }
}
