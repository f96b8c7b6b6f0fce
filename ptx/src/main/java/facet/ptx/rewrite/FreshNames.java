package facet.ptx.rewrite;

import facet.ptx.Work;
import java.util.BitSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names that the text does not have: all begin with {@code facetN_}, which is nowhere in it. Names
 * that a text declares without spelling them ({@code %r<6>}) end in digits, so they are others.
 */
final class FreshNames {
    private static final Pattern TAKEN = Pattern.compile("facet([0-9]{1,7})_");

    private final String stem;
    private int count;

    private FreshNames(String stem) {
        this.stem = stem;
    }

    /** Looks at the text once. */
    static FreshNames of(String text) {
        Work.steps(text.length() / 16 + 1);
        BitSet taken = new BitSet();
        Matcher matcher = TAKEN.matcher(text);
        while (matcher.find()) {
            taken.set(Integer.parseInt(matcher.group(1)));
        }
        // A text has at most Limits.TEXT / 7 of them, so that there is one of up to seven digits.
        return new FreshNames("facet" + taken.nextClearBit(0) + "_");
    }

    String register(String what) {
        return "%" + stem + what;
    }

    String label(String what) {
        return "$" + stem + what;
    }

    String variable(String what) {
        return stem + what;
    }

    /** Another one at each call. */
    String next(String what) {
        return stem + what + "_" + count++;
    }
}
