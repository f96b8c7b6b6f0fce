package facet.slices;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parts of a device as people write them: 30, 30%, 30 %. */
public final class Percent {
    private static final Pattern FORM = Pattern.compile("(\\d{1,3})\\s*%?");

    private Percent() {}

    public static int parse(String text) {
        Matcher matcher = FORM.matcher(text.strip());
        if (!matcher.matches() || Integer.parseInt(matcher.group(1)) > 100) {
            throw new IllegalArgumentException(
                    "compute is 0 to 100 percent of a device, a whole number, not '" + text + "'");
        }
        return Integer.parseInt(matcher.group(1));
    }

    public static String text(int percent) {
        return percent + "%";
    }
}
