package facet.node.placing;

import facet.place.Fit;
import facet.slices.Promises;
import facet.slices.Size;
import facet.slices.Slice;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Why a slice goes on some of a node's devices and not on the others, device by device.
 *
 * @param fits devices that have room for it
 * @param chosen where it would go now; empty when it fits nowhere
 * @param why these, or why none
 * @param summary what keeps it from the others, those together that lack the same
 */
public record Explanation(
        int fits, List<Integer> chosen, String why, List<String> summary, List<Row> devices) {
    /** What a device has not enough of. */
    public enum Lack {
        NOTHING,
        MEMORY,
        TIME,
        /** It is not among those that the slice names. */
        NOT_NAMED,
        /** It is of another model. */
        MODEL,
        OTHER;

        static Lack of(Fit fit) {
            return switch (fit) {
                case FITS -> NOTHING;
                case DEVICE_MEMORY -> MEMORY;
                case COMPUTE -> TIME;
                case MODEL -> MODEL;
                case CLOSED, POOL, LABELS, DEVICES, CPU, MEMORY, CODEC, RENDER, BURST, PART ->
                        OTHER;
            };
        }
    }

    /**
     * One of the node's devices.
     *
     * @param memory bytes that it has
     * @param memoryPromised bytes that others were promised; may be more than it has
     * @param timeRest percent of its time that nobody was promised, in the tightest moment of the
     *     coming week
     * @param words what this means for the slice
     */
    public record Row(
            int device, Lack lack, long memory, long memoryPromised, int timeRest, String words) {}

    public Explanation {
        chosen = List.copyOf(chosen);
        summary = List.copyOf(summary);
        devices = List.copyOf(devices);
    }

    /**
     * @param node its devices, without the slice itself if it is there already
     */
    public static Explanation of(Slice wanted, List<Placement.Room> node, Instant now) {
        List<Integer> asked =
                Placement.asked(wanted, node.size()).stream()
                        .filter(each -> each < node.size())
                        .toList();
        Books books = Placement.books(wanted, asked.stream().map(node::get).toList(), true, now);
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < node.size(); i++) {
            rows.add(row(wanted, i, node.get(i), now, books, asked.indexOf(i)));
        }
        Placement.Answer answer = Placement.of(wanted, node, now);
        List<Integer> chosen =
                answer instanceof Placement.Placed placed
                        ? placed.slice().devices().numbers()
                        : List.of();
        String why =
                switch (answer) {
                    case Placement.Placed placed -> placed.why();
                    case Placement.Refused refused -> refused.why();
                };
        return new Explanation(
                books.fitting(), chosen, why, summary(books, node.size() - asked.size()), rows);
    }

    /**
     * @param number of the device in the books; less than 0: it is not asked for
     */
    private static Row row(
            Slice wanted, int device, Placement.Room room, Instant now, Books books, int number) {
        int rest = Promises.rest(room.slices(), wanted, now);
        long promised =
                room.slices().stream()
                        .filter(each -> !each.name().equals(Slice.DEFAULT))
                        .mapToLong(each -> Math.min(each.memory(), room.memory()))
                        .reduce(0, Math::addExact);
        Lack lack = number < 0 ? Lack.NOT_NAMED : Lack.of(books.fit(number));
        String words =
                switch (lack) {
                    case NOTHING ->
                            "fits: %s of memory, of which %s are promised, and %d %% of its time"
                                    .formatted(
                                            Size.exact(room.memory()), Size.exact(promised), rest);
                    case NOT_NAMED ->
                            "is not what it asks for: it names " + wanted.devices().words();
                    case MODEL -> "is " + room.name() + ", not " + wanted.devices().site().model();
                    case MEMORY, TIME, OTHER -> books.lacks(number);
                };
        return new Row(device, lack, room.memory(), promised, rest, words);
    }

    private static List<String> summary(Books books, int notNamed) {
        List<String> lines = new ArrayList<>();
        if (books.fitting() > 0) {
            lines.add(count(books.fitting(), "has", "have") + " room for it");
        }
        lines.addAll(books.lacking());
        if (notNamed > 0) {
            lines.add(count(notNamed, "is", "are") + " not what it asks for");
        }
        return lines;
    }

    private static String count(int devices, String one, String several) {
        return devices == 1 ? "1 device " + one : devices + " devices " + several;
    }
}
