package facet.cli.top;

import facet.cli.top.View.SliceLine;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** The columns of the table of slices, in their order, with what they are sorted by. */
@SuppressWarnings("ImmutableEnumChecker") // functions without state
enum SliceColumn {
    POLICY("POLICY", 10, 10, line -> Cells.text(line.row().path("policy")), null),
    PRIORITY("PRIO", 4, 11, line -> Cells.text(line.row().path("priority")), field("priority")),
    PROMISED("SHARE", 5, 2, line -> Cells.percent(line.row().path("promised")), field("promised")),
    GOT("GOT", 5, 1, line -> Cells.percent(line.got()), line -> line.got().orElse(-1)),
    WAITING("WAIT", 5, 4, line -> Cells.percent(line.waiting()), line -> line.waiting().orElse(-1)),
    USED("USED", 6, 3, line -> Cells.bytes(line.row().path("memoryUsed")), field("memoryUsed")),
    LIMIT("LIMIT", 6, 5, line -> Cells.bytes(line.row().path("memory")), field("memory")),
    RESIDENT(
            "RESID",
            6,
            7,
            line -> Cells.bytes(line.row().path("memoryResident")),
            field("memoryResident")),
    LAUNCHES(
            "LAUNCH/S",
            8,
            6,
            line -> Cells.rate(line.launches()),
            line -> line.launches().orElse(-1)),
    FAULTS("FAULTS", 6, 8, line -> Cells.count(line.row().path("faults")), field("faults")),
    SESSIONS("PROGS", 5, 9, line -> Cells.count(line.row().path("sessions")), field("sessions"));

    static final int LEAST_NAME = 12;

    private final String heading;
    private final int width;
    private final int rank;
    private final Function<SliceLine, String> cell;
    private final @org.jspecify.annotations.Nullable ToDoubleFunction<SliceLine> value;

    /**
     * @param rank the highest ones are left out first where there is no room
     * @param value what rows are sorted by, the greatest first; by the text where there is none
     */
    SliceColumn(
            String heading,
            int width,
            int rank,
            Function<SliceLine, String> cell,
            @org.jspecify.annotations.Nullable ToDoubleFunction<SliceLine> value) {
        this.heading = heading;
        this.width = width;
        this.rank = rank;
        this.cell = cell;
        this.value = value;
    }

    private static ToDoubleFunction<SliceLine> field(String name) {
        return line -> line.row().path(name).asDouble(-1);
    }

    String heading() {
        return heading;
    }

    int width() {
        return width;
    }

    String cell(SliceLine line) {
        return cell.apply(line);
    }

    /** Those for which there is room, with one character before each. */
    static Set<SliceColumn> fitting(int width) {
        Set<SliceColumn> fitting = EnumSet.noneOf(SliceColumn.class);
        int room = width - LEAST_NAME;
        for (SliceColumn each :
                List.of(values()).stream()
                        .sorted(Comparator.comparingInt(column -> column.rank))
                        .toList()) {
            if (each.width + 1 > room) {
                break;
            }
            room -= each.width + 1;
            fitting.add(each);
        }
        return fitting;
    }

    Comparator<SliceLine> order() {
        Comparator<SliceLine> order =
                value == null
                        ? Comparator.comparing(cell)
                        : Comparator.comparingDouble(value).reversed();
        return order.thenComparing(line -> line.row().path("name").asText());
    }
}
