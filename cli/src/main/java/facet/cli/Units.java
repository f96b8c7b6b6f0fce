package facet.cli;

import java.util.Locale;

/** Amounts as people write them. */
final class Units {
    private static final String[] SIZES = {"B", "KiB", "MiB", "GiB", "TiB"};

    private Units() {}

    /** 1536 is 1.5 KiB; whole numbers have no point. */
    static String bytes(long bytes) {
        double amount = bytes;
        int unit = 0;
        while (amount >= 1024 && unit < SIZES.length - 1) {
            amount /= 1024;
            unit++;
        }
        boolean whole = amount == Math.rint(amount) || amount >= 100;
        return String.format(Locale.ROOT, whole ? "%.0f %s" : "%.1f %s", amount, SIZES[unit]);
    }

    static String nanos(long nanos) {
        if (nanos < 1_000_000) {
            return String.format(Locale.ROOT, "%.0f µs", nanos / 1e3);
        }
        if (nanos < 10_000_000_000L) {
            return String.format(Locale.ROOT, "%.0f ms", nanos / 1e6);
        }
        return String.format(Locale.ROOT, "%.1f s", nanos / 1e9);
    }

    static String seconds(long seconds) {
        if (seconds < 60) {
            return seconds + " s";
        }
        if (seconds < 3600) {
            return seconds / 60 + " min " + seconds % 60 + " s";
        }
        return seconds / 3600 + " h " + seconds % 3600 / 60 + " min";
    }
}
