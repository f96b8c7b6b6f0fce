package facet.cli.top;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jline.utils.AttributedString;
import org.jline.utils.AttributedStringBuilder;

/** The whole screen, as a function of what happened and what the keys have chosen. */
public final class Painter {
    /** With fewer rows than this, each device has one line. */
    private static final int ROWS_FOR_TWO = 14;

    private static final List<String> HELP =
            List.of(
                    "q, Ctrl-C        quit",
                    "s                sort by the next column",
                    "r                reverse the order",
                    "p, space         pause",
                    "arrows, Page     scroll; Home, End",
                    "?, h             this help",
                    "",
                    "SHARE  percent of its devices' time that the slice is promised now",
                    "GOT    percent that it got         WAIT  time that it waited for its turn",
                    "USED   memory that it has          RESID the part of it that is on the device",
                    "on host: memory that moved out to make room; it comes back when touched",
                    "",
                    "any key goes back");

    private final Theme theme;
    private final int columns;

    public Painter(Theme theme, int columns) {
        this.theme = theme;
        this.columns = Math.max(20, columns);
    }

    /**
     * @param lines as many as the screen has rows, or fewer
     * @param body lines of the table in all
     * @param page lines of it for which there is room
     */
    public record Screen(List<AttributedString> lines, int body, int page) {}

    /** For a file or a pipe: all of it, without what only makes sense on a screen. */
    public List<AttributedString> all(View view, State state) {
        TablePainter table = new TablePainter(theme, columns);
        List<AttributedString> lines = new ArrayList<>();
        lines.addAll(new DevicePainter(theme, columns).lines(view.devices(), false));
        lines.add(table.heading(state));
        lines.addAll(table.body(view, state));
        return lines;
    }

    public Screen screen(View view, State state, int rows) {
        TablePainter table = new TablePainter(theme, columns);
        List<AttributedString> lines = new ArrayList<>();
        lines.add(title(view, state));
        lines.addAll(
                new DevicePainter(theme, columns)
                        .lines(
                                view.devices(),
                                rows < ROWS_FOR_TWO + 2 * (view.devices().size() - 1)));
        // However small the screen is, there is room for a line of the table.
        int room = Math.max(1, rows - 3);
        if (lines.size() > room) {
            lines = new ArrayList<>(lines.subList(0, room));
        }
        lines.add(table.heading(state));
        List<AttributedString> body = state.help() ? help() : table.body(view, state);
        boolean footer = rows - lines.size() > 1;
        int page = Math.max(1, rows - lines.size() - (footer ? 1 : 0));
        int from = state.help() ? 0 : Math.max(0, Math.min(state.scroll(), body.size() - page));
        lines.addAll(body.subList(from, Math.min(body.size(), from + page)));
        while (footer && lines.size() < rows - 1) {
            lines.add(AttributedString.EMPTY);
        }
        if (footer) {
            lines.add(footer(state, body.size() - from - page));
        }
        return new Screen(
                List.copyOf(lines.subList(0, Math.min(lines.size(), Math.max(1, rows)))),
                state.help() ? 0 : body.size(),
                page);
    }

    private AttributedString title(View view, State state) {
        AttributedStringBuilder text = new AttributedStringBuilder();
        text.append("facet top", theme.strong());
        text.append(
                String.format(
                        Locale.ROOT,
                        "  %s, %s, last %.1f s",
                        Cells.count(view.slices().size(), "slice"),
                        Cells.count(view.sessions().size(), "program"),
                        view.seconds()));
        if (view.devices().size() > 1) {
            text.append(", all devices " + Cells.percent(view.utilisation()) + " busy");
        }
        if (state.paused()) {
            text.append("  PAUSED", theme.alarm());
        }
        return text.toAttributedString().columnSubSequence(0, columns);
    }

    private AttributedString footer(State state, int below) {
        String text =
                "q quit  s sort: "
                        + state.sortName()
                        + (state.reversed() ? " reversed" : "")
                        + "  r reverse  p pause  ? help"
                        + (below > 0 ? "  " + below + " more below" : "");
        return new AttributedString(Cells.fit(text, columns), theme.quiet());
    }

    private List<AttributedString> help() {
        return HELP.stream().map(each -> new AttributedString(Cells.fit(each, columns))).toList();
    }
}
