package facet.cli;

import facet.sim.Failures;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/**
 * How often nodes fail, as it is written: 30d/2h, the time until it happens and that until they are
 * back.
 */
final class FailureTimes {
    private static final Pattern FORM =
            Pattern.compile("([1-9][0-9]{0,5})([dhms])/([1-9][0-9]{0,5})([dhms])");

    private FailureTimes() {}

    static Failures parse(CommandLine command, @Nullable String text) {
        if (text == null) {
            return Failures.NONE;
        }
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            throw new ParameterException(
                    command,
                    "--failures wants how long nodes run, and until they are back, such as 30d/2h,"
                            + " not '"
                            + text
                            + "'");
        }
        return new Failures(
                Long.parseLong(form.group(1)) * seconds(form.group(2)),
                Long.parseLong(form.group(3)) * seconds(form.group(4)));
    }

    private static long seconds(String unit) {
        return switch (unit) {
            case "d" -> 86_400;
            case "h" -> 3600;
            case "m" -> 60;
            default -> 1;
        };
    }
}
