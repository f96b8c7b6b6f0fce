package facet.slices;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sizes as people write them: 4096, 512M, 4G, 4GiB, 1.5G. Units are powers of 1024. */
public final class Size {
    private static final Pattern FORM =
            Pattern.compile(
                    "(\\d{1,18}(?:\\.\\d{1,6})?)\\s*([KMGT]?)(?:i?B)?", Pattern.CASE_INSENSITIVE);

    private static final String[] UNITS = {"bytes", "KiB", "MiB", "GiB", "TiB"};

    private Size() {}

    /**
     * For people: 512 MiB, 1.5 GiB, 300 bytes. Exact where two digits behind the point are, else
     * rounded to those.
     */
    public static String text(long bytes) {
        int unit = 0;
        double value = (double) bytes;
        while (Math.abs(value) >= 1024 && unit < UNITS.length - 1) {
            value /= 1024;
            unit++;
        }
        String digits =
                BigDecimal.valueOf(value)
                        .setScale(2, RoundingMode.HALF_EVEN)
                        .stripTrailingZeros()
                        .toPlainString();
        return digits + " " + (bytes == 1 ? "byte" : UNITS[unit]);
    }

    public static long parse(String text) {
        Matcher matcher = FORM.matcher(text.strip());
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "'" + text + "' is no size; write it as 512M, 4G or a number of bytes");
        }
        int shift =
                10
                        * ("KMGT".indexOf(matcher.group(2).toUpperCase(Locale.ROOT)) + 1)
                        * (matcher.group(2).isEmpty() ? 0 : 1);
        double bytes = Double.parseDouble(matcher.group(1)) * (1L << shift);
        if (bytes > 1L << 60) {
            throw new IllegalArgumentException("'" + text + "' is more than there can be");
        }
        return (long) bytes;
    }

    /** As {@link #parse} reads it, exact: 4GiB, 1536MiB, 1000 where no unit fits. */
    public static String exact(long bytes) {
        int shift = Math.min(Long.numberOfTrailingZeros(bytes) / 10, 4);
        if (bytes == 0 || shift == 0) {
            return Long.toString(bytes);
        }
        return (bytes >> 10 * shift) + "KMGT".substring(shift - 1, shift) + "iB";
    }
}
