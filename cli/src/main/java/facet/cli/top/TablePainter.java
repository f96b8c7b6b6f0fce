package facet.cli.top;

import facet.cli.top.View.SessionLine;
import facet.cli.top.View.SliceLine;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.jline.utils.AttributedString;
import org.jline.utils.AttributedStringBuilder;
import org.jline.utils.AttributedStyle;

/** Slices, below them the programs, and what went wrong last. */
@SuppressWarnings("EnumOrdinal") // columns are an order
final class TablePainter {
    private static final int PID = 8;
    private static final int AMOUNT = 8;

    private final Theme theme;
    private final int width;
    private final Set<SliceColumn> columns;
    private final int name;

    TablePainter(Theme theme, int width) {
        this.theme = theme;
        this.width = width;
        columns = SliceColumn.fitting(width);
        name =
                Math.max(
                        1,
                        Math.min(32, width - columns.stream().mapToInt(e -> e.width() + 1).sum()));
    }

    AttributedString heading(State state) {
        AttributedStringBuilder text = new AttributedStringBuilder();
        text.append(Cells.left("SLICE", name), style(state.sort() < 0));
        for (SliceColumn each : columns) {
            text.append(" ", theme.heading());
            text.append(
                    Cells.right(each.heading(), each.width()),
                    style(state.sort() == each.ordinal()));
        }
        text.append(" ".repeat(Math.max(0, width - text.length())), theme.heading());
        return text.toAttributedString().columnSubSequence(0, width);
    }

    private AttributedStyle style(boolean sorted) {
        return sorted ? theme.heading().bold() : theme.heading();
    }

    List<AttributedString> body(View view, State state) {
        List<AttributedString> lines = new ArrayList<>();
        Comparator<SliceLine> order =
                state.sort() < 0
                        ? Comparator.comparing(line -> line.row().path("name").asText())
                        : SliceColumn.values()[state.sort()].order();
        view.slices().stream()
                .sorted(state.reversed() ? order.reversed() : order)
                .forEach(line -> lines.add(slice(line)));
        if (!view.sessions().isEmpty()) {
            lines.add(AttributedString.EMPTY);
            lines.add(row("PROGRAM", "PID", "SLICE", "GOT", "USED", "LAUNCH/S", theme.strong()));
            view.sessions().forEach(line -> lines.add(session(line)));
        }
        List<AttributedString> faults =
                view.slices().stream()
                        .filter(line -> !line.row().path("lastFault").asText("").isEmpty())
                        .map(this::fault)
                        .toList();
        if (!faults.isEmpty()) {
            lines.add(AttributedString.EMPTY);
            lines.add(new AttributedString("LAST FAULTS", theme.strong()));
            lines.addAll(faults);
        }
        return lines;
    }

    private AttributedString slice(SliceLine line) {
        AttributedStringBuilder text = new AttributedStringBuilder();
        text.append(Cells.left(Cells.text(line.row().path("name")), name));
        for (SliceColumn each : columns) {
            boolean alarm = each == SliceColumn.FAULTS && line.row().path("faults").asLong(0) > 0;
            text.append(' ')
                    .styled(
                            alarm ? theme.alarm() : AttributedStyle.DEFAULT,
                            Cells.right(each.cell(line), each.width()));
        }
        return text.toAttributedString().columnSubSequence(0, width);
    }

    private AttributedString fault(SliceLine line) {
        String text =
                Cells.left(Cells.text(line.row().path("name")), name)
                        + " "
                        + Cells.text(line.row().path("lastFault"));
        return new AttributedString(Cells.fit(text, width));
    }

    private AttributedString session(SessionLine line) {
        return row(
                Cells.text(line.row().path("program")),
                Cells.text(line.row().path("pid")),
                Cells.text(line.row().path("slice")),
                Cells.percent(line.got()),
                Cells.bytes(line.row().path("memoryUsed")),
                Cells.rate(line.launches()),
                AttributedStyle.DEFAULT);
    }

    private AttributedString row(
            String program,
            String pid,
            String slice,
            String got,
            String used,
            String launches,
            AttributedStyle style) {
        int texts = Math.max(8, Math.min(32, (width - PID - 3 * AMOUNT - 2) / 2));
        String line =
                Cells.left(program, texts)
                        + Cells.right(pid, PID)
                        + "  "
                        + Cells.left(slice, texts)
                        + Cells.right(got, AMOUNT - 1)
                        + Cells.right(used, AMOUNT)
                        + " "
                        + Cells.right(launches, AMOUNT);
        return new AttributedString(line, style).columnSubSequence(0, width);
    }
}
