package facet.kube.names;

import facet.slices.Size;
import java.math.BigDecimal;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How a number is written, and what it is in thousandths, bytes or plain. */
enum Unit {
    BYTES("bytes"),
    MEBIBYTES("MiB"),
    GIBIBYTES("GiB"),
    BLOCKS("256MiB"),
    PERCENT("percent"),
    PART("part"),
    NUMBER("number"),
    FIRST_IS_HIGHEST("first-is-highest"),
    TEXT("text");

    private static final long MEBIBYTE = 1L << 20;
    private static final long MOST_BYTES = 1L << 60;
    private static final Pattern PERCENTS = Pattern.compile("(\\d{1,6})\\s*%?");
    private static final Pattern DECIMAL = Pattern.compile("\\d{1,6}(\\.\\d{1,9})?");

    /** As Kubernetes writes numbers (resource.Quantity): a power of 1024 or of 1000 behind it. */
    private static final Pattern QUANTITY = Pattern.compile("(\\d{1,18})([KMGTPE]i|[kMGTPE])?");

    private static final String POWERS = "KMGTPE";

    private final String word;

    Unit(String word) {
        this.word = word;
    }

    static Unit of(String word) {
        for (Unit each : values()) {
            if (each.word.equals(word)) {
                return each;
            }
        }
        throw new IllegalArgumentException("there is no unit '" + word + "'");
    }

    /** Whether it is a part of what a device has, in thousandths, and not a number of bytes. */
    boolean isRelative() {
        return this == PERCENT || this == PART;
    }

    /**
     * @param quantity as Kubernetes writes numbers of resources; else as people do
     * @return bytes, thousandths or the number itself
     * @throws IllegalArgumentException in words; the name is the caller's to say
     */
    long read(String text, boolean quantity) {
        String written = text.strip();
        return switch (this) {
            case BYTES -> bytes(quantity ? whole(written) : size(written), 1);
            case MEBIBYTES -> bytes(whole(written), MEBIBYTE);
            case GIBIBYTES -> bytes(whole(written), MEBIBYTE << 10);
            case BLOCKS -> bytes(whole(written), MEBIBYTE << 8);
            case PERCENT -> percent(written);
            case PART -> part(written);
            case NUMBER -> whole(written);
            case FIRST_IS_HIGHEST -> whole(written) == 0 ? 1 : 0;
            case TEXT -> throw new IllegalStateException("a text is no number");
        };
    }

    private static long size(String text) {
        // Both ways to write it are common in annotations: 4GiB and 4Gi.
        return QUANTITY.matcher(text).matches() && text.endsWith("i")
                ? whole(text)
                : Size.parse(text);
    }

    private static long bytes(long count, long each) {
        long bytes = count <= Long.MAX_VALUE / each ? count * each : Long.MAX_VALUE;
        if (bytes < 0 || bytes > MOST_BYTES) {
            throw new IllegalArgumentException("it is more than there can be");
        }
        return bytes;
    }

    private static long whole(String text) {
        Matcher matcher = QUANTITY.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("it is a whole number");
        }
        BigDecimal value = new BigDecimal(matcher.group(1));
        String power = matcher.group(2);
        if (power != null) {
            int exponent = POWERS.indexOf(Character.toUpperCase(power.charAt(0))) + 1;
            int base = power.endsWith("i") ? 1024 : 1000;
            value = value.multiply(BigDecimal.valueOf(base).pow(exponent));
        }
        if (value.compareTo(BigDecimal.valueOf(MOST_BYTES)) > 0) {
            throw new IllegalArgumentException("it is more than there can be");
        }
        return value.longValueExact();
    }

    private static long percent(String text) {
        Matcher matcher = PERCENTS.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("it is a whole number of percent, such as 30");
        }
        return 10L * Integer.parseInt(matcher.group(1));
    }

    private static long part(String text) {
        if (!DECIMAL.matcher(text).matches()) {
            throw new IllegalArgumentException("it is a part of a device, such as 0.5");
        }
        BigDecimal thousandths = new BigDecimal(text).movePointRight(3).stripTrailingZeros();
        if (thousandths.scale() > 0) {
            throw new IllegalArgumentException("no more than three digits behind the point count");
        }
        return thousandths.longValueExact();
    }
}
