package facet.jit.runtime;

import java.util.Locale;

/**
 * C's printf on the device: the format and a packed buffer of arguments, each 4 or 8 bytes. One
 * call prints no more than {@link #LONGEST} characters, and takes no more time than that: what
 * kernels say is kept in the daemon until their program reads it, and cannot be paused in the
 * middle.
 */
final class DevicePrintf {
    /** A sixteenth of what there is room for between two looks of the program. */
    static final int LONGEST = 64 << 10;

    /** Of a field, and behind a point. */
    private static final int MOST_PLACES = 4096;

    private final Block block;
    private final int thread;
    private final StringBuilder out = new StringBuilder();
    private long next;
    private int count;

    private DevicePrintf(Block block, int thread, long arguments) {
        this.block = block;
        this.thread = thread;
        this.next = arguments;
    }

    static int print(Block block, int thread, long format, long arguments) {
        DevicePrintf printf = new DevicePrintf(block, thread, arguments);
        printf.format(Generic.string(block, thread, format, LONGEST));
        if (printf.out.length() > LONGEST) {
            printf.out.setLength(LONGEST);
        }
        block.grid.services().print(printf.out.toString());
        // Nothing but calls like this may come for long.
        block.grid.services().poll();
        return printf.count;
    }

    private void format(String text) {
        for (int i = 0; i < text.length() && out.length() < LONGEST; i++) {
            char c = text.charAt(i);
            if (c != '%') {
                out.append(c);
                continue;
            }
            int start = i++;
            StringBuilder flags = new StringBuilder();
            while (i < text.length() && "-+ #0".indexOf(text.charAt(i)) >= 0) {
                flags.append(text.charAt(i++));
            }
            int[] at = {i};
            int width = number(text, at, flags);
            int precision = -1;
            if (at[0] < text.length() && text.charAt(at[0]) == '.') {
                at[0]++;
                precision = Math.max(number(text, at, new StringBuilder()), 0);
            }
            i = at[0];
            boolean wide = false;
            while (i < text.length() && "hljztL".indexOf(text.charAt(i)) >= 0) {
                wide |= text.charAt(i++) != 'h';
            }
            if (i >= text.length()) {
                out.append(text, start, text.length());
                return;
            }
            out.append(
                    pad(convert(text.charAt(i), flags.toString(), precision, wide), flags, width));
        }
    }

    /** A literal number or {@code *}; -1 when there is none. */
    private int number(String text, int[] at, StringBuilder flags) {
        if (at[0] < text.length() && text.charAt(at[0]) == '*') {
            at[0]++;
            int value = argument32();
            if (value < 0) {
                flags.append('-');
            }
            return value == Integer.MIN_VALUE
                    ? MOST_PLACES
                    : Math.min(Math.abs(value), MOST_PLACES);
        }
        int value = -1;
        while (at[0] < text.length() && Character.isDigit(text.charAt(at[0]))) {
            value = Math.min(Math.max(value, 0) * 10 + (text.charAt(at[0]++) - '0'), MOST_PLACES);
        }
        return value;
    }

    private int argument32() {
        next = next + 3 & ~3L;
        int value = AccessUnsafe.getB32(Generic.resolve(block, thread, next, 4));
        next += 4;
        count++;
        return value;
    }

    private long argument64() {
        next = next + 7 & ~7L;
        long value = AccessUnsafe.getB64(Generic.resolve(block, thread, next, 8));
        next += 8;
        count++;
        return value;
    }

    private String convert(char conversion, String flags, int precision, boolean wide) {
        return switch (conversion) {
            case '%' -> "%";
            case 'c' -> String.valueOf((char) (argument32() & 0xff));
            case 's' -> {
                long address = argument64();
                int most = LONGEST - out.length();
                // What lies behind the precision is not read, as in C.
                int read = precision < 0 ? most : Math.min(precision, most);
                yield address == 0
                        ? "(null)".substring(0, Math.min(read, "(null)".length()))
                        : Generic.string(block, thread, address, read);
            }
            case 'p' -> "0x" + Long.toHexString(argument64());
            case 'd', 'i' -> {
                long value = wide ? argument64() : argument32();
                yield sign(value < 0, flags)
                        + digits(Long.toUnsignedString(Math.abs(value)), precision);
            }
            case 'u' -> digits(Long.toUnsignedString(unsigned(wide)), precision);
            case 'o' ->
                    (flags.contains("#") ? "0" : "")
                            + digits(Long.toOctalString(unsigned(wide)), precision);
            case 'x', 'X' -> {
                long value = unsigned(wide);
                String text = digits(Long.toHexString(value), precision);
                String prefixed = flags.contains("#") && value != 0 ? "0x" + text : text;
                yield conversion == 'X' ? prefixed.toUpperCase(Locale.ROOT) : prefixed;
            }
            case 'f', 'F', 'e', 'E', 'g', 'G', 'a', 'A' ->
                    floating(conversion, Double.longBitsToDouble(argument64()), flags, precision);
            default -> "%" + conversion;
        };
    }

    private long unsigned(boolean wide) {
        return wide ? argument64() : argument32() & 0xffff_ffffL;
    }

    private static String sign(boolean negative, String flags) {
        return negative ? "-" : flags.contains("+") ? "+" : flags.contains(" ") ? " " : "";
    }

    private static String digits(String text, int precision) {
        return precision == 0 && text.equals("0")
                ? ""
                : "0".repeat(Math.max(0, precision - text.length())) + text;
    }

    private static String floating(char conversion, double value, String flags, int precision) {
        boolean negative = value < 0 || 1 / value < 0;
        double magnitude = Math.abs(value);
        boolean upper = Character.isUpperCase(conversion);
        String text;
        if (Double.isNaN(value)) {
            text = "nan";
        } else if (Double.isInfinite(value)) {
            text = "inf";
        } else {
            int places = precision < 0 ? 6 : precision;
            text =
                    switch (Character.toLowerCase(conversion)) {
                        case 'f' -> fixed(magnitude, places);
                        case 'e' -> scientific(magnitude, places);
                        case 'g' -> general(magnitude, places, flags.contains("#"));
                        default -> hexadecimal(magnitude);
                    };
        }
        String signed = sign(negative && !Double.isNaN(value), flags) + text;
        return upper ? signed.toUpperCase(Locale.ROOT) : signed;
    }

    /** Exactly rounded, half to even of the binary value, as C does. */
    private static String fixed(double value, int places) {
        return new java.math.BigDecimal(value)
                .setScale(places, java.math.RoundingMode.HALF_EVEN)
                .toPlainString();
    }

    private static String scientific(double value, int places) {
        if (value == 0) {
            return fixed(0, places) + "e+00";
        }
        java.math.BigDecimal exact =
                new java.math.BigDecimal(value)
                        .round(
                                new java.math.MathContext(
                                        places + 1, java.math.RoundingMode.HALF_EVEN));
        int exponent = exact.precision() - exact.scale() - 1;
        String text =
                exact.movePointLeft(exponent)
                        .setScale(places, java.math.RoundingMode.HALF_EVEN)
                        .toPlainString();
        return text
                + "e"
                + (exponent < 0 ? "-" : "+")
                + (Math.abs(exponent) < 10 ? "0" : "")
                + Math.abs(exponent);
    }

    private static String general(double value, int precision, boolean keepZeros) {
        int significant = Math.max(precision, 1);
        String scientific = scientific(value, significant - 1);
        int exponent = Integer.parseInt(scientific.substring(scientific.indexOf('e') + 1));
        boolean plain = exponent >= -4 && exponent < significant;
        String text = plain ? fixed(value, significant - 1 - exponent) : scientific;
        if (keepZeros || !text.contains(".")) {
            return text;
        }
        int end = plain ? text.length() : text.indexOf('e');
        int last = end;
        while (text.charAt(last - 1) == '0') {
            last--;
        }
        if (text.charAt(last - 1) == '.') {
            last--;
        }
        return text.substring(0, last) + text.substring(end);
    }

    private static String hexadecimal(double value) {
        String text = Double.toHexString(value);
        int exponent = text.indexOf('p') + 1;
        String mantissa = text.substring(0, exponent).replace(".0p", "p");
        return mantissa + (text.charAt(exponent) == '-' ? "" : "+") + text.substring(exponent);
    }

    private static String pad(String text, CharSequence flags, int width) {
        if (text.length() >= width) {
            return text;
        }
        String all = flags.toString();
        int missing = width - text.length();
        if (all.contains("-")) {
            return text + " ".repeat(missing);
        }
        if (all.contains("0") && !text.contains("n")) {
            int digits = 0;
            while (digits < text.length() && "+- ".indexOf(text.charAt(digits)) >= 0) {
                digits++;
            }
            if (text.startsWith("0x", digits)) {
                digits += 2;
            }
            return text.substring(0, digits) + "0".repeat(missing) + text.substring(digits);
        }
        return " ".repeat(missing) + text;
    }
}
