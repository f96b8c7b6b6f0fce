package facet.testkit.filetest;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How far a result may be from what is expected: {@code ~2ulp} in units of the last place, {@code
 * ~2^-22} relative to the value, {@code ~2^-20.9abs} absolute. Infinities and NaN are never near
 * anything.
 */
record Tolerance(String text, Kind kind, double bound) {
    enum Kind {
        EXACT,
        ULP,
        RELATIVE,
        ABSOLUTE
    }

    static final Tolerance EXACT = new Tolerance("", Kind.EXACT, 0);
    private static final Pattern SYNTAX =
            Pattern.compile("~(?:(\\d+)ulp|2\\^(-?\\d+(?:\\.\\d+)?)(abs)?)");

    static Tolerance parse(String text) {
        if (text.isEmpty()) {
            return EXACT;
        }
        Matcher matcher = SYNTAX.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "tolerance " + text + " is none of ~2ulp, ~2^-22, ~2^-22abs");
        }
        if (matcher.group(1) != null) {
            return new Tolerance(text, Kind.ULP, Integer.parseInt(matcher.group(1)));
        }
        double bound = Math.pow(2, Double.parseDouble(matcher.group(2)));
        return new Tolerance(text, matcher.group(3) == null ? Kind.RELATIVE : Kind.ABSOLUTE, bound);
    }

    boolean accepts(ElementType type, long expected, long actual) {
        if (expected == actual) {
            return true;
        }
        if (kind == Kind.EXACT
                || !type.isFloat()
                || isSpecial(type, expected)
                || isSpecial(type, actual)) {
            return false;
        }
        double want = type.toDouble(expected);
        double got = type.toDouble(actual);
        return switch (kind) {
            case EXACT -> false;
            case ULP -> Math.abs(ordered(type, expected) - ordered(type, actual)) <= bound;
            case RELATIVE -> Math.abs(got - want) <= bound * Math.abs(want);
            case ABSOLUTE -> Math.abs(got - want) <= bound;
        };
    }

    private static boolean isSpecial(ElementType type, long bits) {
        return type.isNan(bits) || type.isInfinite(bits);
    }

    /** Neighbouring values have neighbouring numbers, also across zero. */
    private static long ordered(ElementType type, long bits) {
        long magnitude = bits & type.mask() >>> 1;
        return bits == magnitude ? magnitude : -magnitude;
    }
}
