package facet.cli;

import java.io.Console;
import java.util.Locale;
import java.util.Map;

/**
 * What standard output can show.
 *
 * @param columns width in characters, also where it is no terminal
 * @param isTerminal whether somebody looks at it
 * @param unicode whether half blocks can be shown
 */
record Terminal(int columns, boolean isTerminal, Colours colours, boolean unicode) {
    static final int DEFAULT_COLUMNS = 80;

    /** How many colours there are. */
    enum Colours {
        NONE,
        PALETTE,
        TRUE
    }

    /**
     * From the environment. {@code FACET_TERMINAL} is 1 or 0 where the script has looked whether
     * standard output is a terminal; Java alone can only tell for input and output together.
     */
    static Terminal of(Map<String, String> environment, boolean console) {
        boolean terminal =
                environment.getOrDefault("FACET_TERMINAL", console ? "1" : "0").equals("1");
        String term = environment.getOrDefault("TERM", "");
        String locale = first(environment, "LC_ALL", "LC_CTYPE", "LANG").toLowerCase(Locale.ROOT);
        return new Terminal(
                columns(environment.getOrDefault("COLUMNS", "")),
                terminal,
                colours(environment, terminal && !term.isEmpty() && !term.equals("dumb")),
                terminal && (locale.contains("utf-8") || locale.contains("utf8")));
    }

    /** Where lines are to end; programs that read them get all. */
    int width() {
        return isTerminal ? columns : Integer.MAX_VALUE;
    }

    @SuppressWarnings("SystemConsoleNull") // it is null without a terminal unless JLine is there
    static Terminal detect() {
        Console console = System.console();
        return of(System.getenv(), console != null && console.isTerminal());
    }

    private static Colours colours(Map<String, String> environment, boolean able) {
        if (!able || !environment.getOrDefault("NO_COLOR", "").isEmpty()) {
            return Colours.NONE;
        }
        String depth = environment.getOrDefault("COLORTERM", "");
        return depth.equals("truecolor") || depth.equals("24bit") ? Colours.TRUE : Colours.PALETTE;
    }

    private static int columns(String value) {
        try {
            int columns = Integer.parseInt(value);
            return columns > 0 ? columns : DEFAULT_COLUMNS;
        } catch (NumberFormatException e) {
            return DEFAULT_COLUMNS;
        }
    }

    private static String first(Map<String, String> environment, String... names) {
        for (String name : names) {
            String value = environment.getOrDefault(name, "");
            if (!value.isEmpty()) {
                return value;
            }
        }
        return "";
    }
}
