package facet.cli.top;

import com.fasterxml.jackson.databind.JsonNode;
import facet.cli.top.View.DeviceLine;
import java.util.ArrayList;
import java.util.List;
import org.jline.utils.AttributedString;
import org.jline.utils.AttributedStringBuilder;

/** Devices: a line with how busy it is, a line with whose memory is where. */
final class DevicePainter {
    private static final int MOST_BAR = 40;
    private static final int LEAST_BAR = 8;

    private final Theme theme;
    private final int width;

    DevicePainter(Theme theme, int width) {
        this.theme = theme;
        this.width = width;
    }

    /**
     * @param brief one line a device
     */
    List<AttributedString> lines(List<DeviceLine> devices, boolean brief) {
        List<AttributedString> lines = new ArrayList<>();
        for (DeviceLine each : devices) {
            if (!brief) {
                lines.add(busy(each));
            }
            lines.add(memory(each, brief));
        }
        return lines;
    }

    private static String number(DeviceLine line) {
        return "GPU " + Cells.text(line.row().path("device"));
    }

    private AttributedString busy(DeviceLine line) {
        AttributedStringBuilder text = new AttributedStringBuilder();
        text.append(number(line) + " ", theme.strong());
        text.append("busy ");
        int bar = bar(text.length() + 2);
        text.append('[');
        int filled = part(line.utilisation().orElse(0) / 100, bar);
        text.styled(theme.busy(), repeated(theme.full(), filled));
        text.append(repeated(theme.empty(), bar - filled)).append("] ");
        text.append(Cells.right(Cells.percent(line.utilisation()), 4)).append("  ");
        text.append(Cells.text(line.row().path("name")), theme.quiet());
        return cut(text);
    }

    private AttributedString memory(DeviceLine line, boolean brief) {
        JsonNode row = line.row();
        double used = row.path("used").asDouble(0);
        double moved = row.path("movedOut").asDouble(0);
        double resident = row.path("resident").asDouble(Math.max(0, used - moved));
        double whole = Math.max(1, Math.max(row.path("memory").asDouble(1), resident + moved));
        AttributedStringBuilder text = new AttributedStringBuilder();
        if (brief) {
            text.append(number(line) + " ", theme.strong());
            text.append("busy ").append(Cells.right(Cells.percent(line.utilisation()), 4));
            text.append("  ");
        } else {
            text.append(" ".repeat(number(line).length() + 1));
        }
        text.append("mem  ");
        int bar = bar(text.length() + 2);
        int first = part(resident / whole, bar);
        int second = Math.min(bar - first, part(moved / whole, bar));
        text.append('[');
        text.styled(theme.resident(), repeated(theme.full(), first));
        text.styled(theme.moved(), repeated(theme.half(), second));
        text.append(repeated(theme.empty(), bar - first - second)).append("] ");
        text.append(Cells.bytes(row.path("used")) + " of " + Cells.bytes(row.path("memory")));
        text.append(", resident " + Cells.bytes(row.path("resident")));
        text.append(", on host " + Cells.bytes(row.path("movedOut")));
        return cut(text);
    }

    /** Room for a bar, when so much comes before it and the figures behind it. */
    private int bar(int before) {
        int figures = 42;
        return Math.max(LEAST_BAR, Math.min(MOST_BAR, width - before - figures));
    }

    /** Something is never nothing. */
    private static int part(double share, int bar) {
        if (share <= 0) {
            return 0;
        }
        return (int) Math.max(1, Math.min(bar, Math.round(share * bar)));
    }

    private static String repeated(char each, int times) {
        return String.valueOf(each).repeat(Math.max(0, times));
    }

    private AttributedString cut(AttributedStringBuilder text) {
        return text.toAttributedString().columnSubSequence(0, width);
    }
}
