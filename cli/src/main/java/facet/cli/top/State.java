package facet.cli.top;

/**
 * What the keys have chosen.
 *
 * @param sort -1: by name
 * @param scroll lines of the table that are above the screen
 */
@SuppressWarnings("EnumOrdinal") // columns are an order: the next key sorts by the next one
public record State(int sort, boolean reversed, boolean paused, boolean help, int scroll) {
    public static final State FIRST = new State(SliceColumn.GOT.ordinal(), false, false, false, 0);

    /** What a key means. */
    public enum Key {
        SORT,
        REVERSE,
        PAUSE,
        HELP,
        UP,
        DOWN,
        PAGE_UP,
        PAGE_DOWN,
        HOME,
        END,
        RESIZE,
        OTHER,
        QUIT
    }

    /**
     * @param lines of the table in all
     * @param page lines of it that are on the screen
     */
    public State press(Key key, int lines, int page) {
        if (help && key != Key.RESIZE) {
            // Any key closes the help.
            return new State(sort, reversed, paused, false, scroll);
        }
        return switch (key) {
            case SORT ->
                    new State(
                            sort + 1 == SliceColumn.values().length ? -1 : sort + 1,
                            reversed,
                            paused,
                            help,
                            0);
            case REVERSE -> new State(sort, !reversed, paused, help, 0);
            case PAUSE -> new State(sort, reversed, !paused, help, scroll);
            case HELP -> new State(sort, reversed, paused, true, scroll);
            case UP -> scrolled(scroll - 1, lines, page);
            case DOWN -> scrolled(scroll + 1, lines, page);
            case PAGE_UP -> scrolled(scroll - Math.max(1, page), lines, page);
            case PAGE_DOWN -> scrolled(scroll + Math.max(1, page), lines, page);
            case HOME -> scrolled(0, lines, page);
            case END -> scrolled(lines, lines, page);
            case RESIZE -> scrolled(scroll, lines, page);
            case OTHER, QUIT -> this;
        };
    }

    private State scrolled(int to, int lines, int page) {
        return new State(
                sort, reversed, paused, help, Math.max(0, Math.min(to, lines - Math.max(1, page))));
    }

    String sortName() {
        return sort < 0 ? "SLICE" : SliceColumn.values()[sort].heading();
    }
}
