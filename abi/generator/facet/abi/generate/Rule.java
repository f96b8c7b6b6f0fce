package facet.abi.generate;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * What the direct engine does with a call before the vendor's driver gets it.
 *
 * @param stream for launches and copies: an expression in C for the stream that they are given to;
 *     "" where a parameter says it, or nothing does
 */
record Rule(Kind kind, String stream) {

    /** driver.table explains them. */
    enum Kind {
        /** The table says nothing: it is not one of the driver's. */
        NONE,
        PASS,
        CHARGES,
        RETURNS,
        LAUNCHES,
        COPIES,
        WAITS,
        WATCHES,
        TELLS,
        REFUSED;

        String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** A rule and, behind a colon, its stream, as two groups. */
    static final String PATTERN =
            Arrays.stream(Kind.values())
                    .filter(each -> each != Kind.NONE)
                    .map(Kind::text)
                    .collect(Collectors.joining("|", "(", ")(?::(\\S+))?"));

    /** As a line of a table has it; null for what it does not have. */
    static Rule of(String kind, String stream) {
        return new Rule(
                kind == null ? Kind.NONE : Kind.valueOf(kind.toUpperCase(Locale.ROOT)),
                stream == null ? "" : stream);
    }

    /** Whether the direct engine has a function for it; the others are the vendor's own. */
    boolean isRuled() {
        return kind != Kind.NONE && kind != Kind.PASS;
    }

    /** Whether that function is written by hand. */
    boolean byHand() {
        return switch (kind) {
            case CHARGES, RETURNS, WATCHES, TELLS -> true;
            case NONE, PASS, LAUNCHES, COPIES, WAITS, REFUSED -> false;
        };
    }
}
