package facet.bench.escape;

import java.util.Locale;

/**
 * What came of one way, from one process or several.
 *
 * @param verdict in a word
 * @param figure bytes, or the part of the device's time
 * @param detail for people, when something is not as it should be
 */
public record Cell(Verdict verdict, double figure, String detail) {
    /** In words of the table. */
    public enum Verdict {
        /** The limit held. */
        HELD,
        /** The limit was passed. */
        PASSED,
        /** Got host memory, which is not the slice's, and none of it was counted. */
        HOST,
        /** Facet does not have the call, and says so. */
        UNSUPPORTED,
        /** This machine does not let us try. */
        SKIPPED,
        /** Something else went wrong; says nothing about limits. */
        BROKEN
    }

    /** Whether it is as it should be where there is a limit. */
    public boolean isGood() {
        return verdict != Verdict.PASSED && verdict != Verdict.BROKEN;
    }

    @Override
    public String toString() {
        String word = verdict.name().toLowerCase(Locale.ROOT);
        return switch (verdict) {
            case PASSED -> "PASSED";
            case BROKEN -> "BROKEN";
            case UNSUPPORTED -> "not supported";
            case HOST -> "host memory";
            case HELD, SKIPPED -> word;
        };
    }
}
