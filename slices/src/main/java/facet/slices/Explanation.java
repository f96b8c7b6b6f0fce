package facet.slices;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

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
        MODEL
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
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < node.size(); i++) {
            rows.add(row(wanted, i, node.get(i), now));
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
        int fits = (int) rows.stream().filter(each -> each.lack() == Lack.NOTHING).count();
        return new Explanation(fits, chosen, why, summary(wanted, rows, now), rows);
    }

    private static Row row(Slice wanted, int device, Placement.Room room, Instant now) {
        int rest = Promises.rest(room.slices(), wanted, now);
        long promised =
                room.slices().stream()
                        .filter(each -> !each.name().equals(Slice.DEFAULT))
                        .mapToLong(each -> Math.min(each.memory(), room.memory()))
                        .reduce(0, Math::addExact);
        Lack lack = lack(wanted, device, room, now);
        String words =
                switch (lack) {
                    case NOTHING ->
                            "fits: %s of memory, of which %s are promised, and %d %% of its time"
                                    .formatted(
                                            Size.exact(room.memory()), Size.exact(promised), rest);
                    case MEMORY ->
                            "has %s of memory, less than %s"
                                    .formatted(
                                            Size.exact(room.memory()), Size.exact(wanted.memory()));
                    case TIME ->
                            "has the memory, but no %s of its time: the rest is %d %%"
                                    .formatted(asked(wanted, now), Math.max(0, rest));
                    case NOT_NAMED ->
                            "is not what it asks for: it names " + wanted.devices().words();
                    case MODEL -> "is " + room.name() + ", not " + wanted.devices().site().model();
                };
        return new Row(device, lack, room.memory(), promised, rest, words);
    }

    private static Lack lack(Slice wanted, int device, Placement.Room room, Instant now) {
        if (wanted.devices().isChosen() && !wanted.devices().numbers().contains(device)) {
            return Lack.NOT_NAMED;
        }
        if (!wanted.devices().site().suits(room.name())) {
            return Lack.MODEL;
        }
        if (wanted.memory() != Slice.ALL_MEMORY && wanted.memory() > room.memory()) {
            return Lack.MEMORY;
        }
        List<Slice> all = Stream.concat(room.slices().stream(), Stream.of(wanted)).toList();
        return Promises.broken(all, now, "").isPresent() ? Lack.TIME : Lack.NOTHING;
    }

    /** A calendar has several shares; the message of the refusal names the moment. */
    private static String asked(Slice wanted, Instant now) {
        return wanted.terms().calendar().entries().isEmpty()
                ? wanted.terms().promised(now) + " %"
                : "room for its calendar";
    }

    private static List<String> summary(Slice wanted, List<Row> rows, Instant now) {
        List<String> lines = new ArrayList<>();
        for (Lack lack : Lack.values()) {
            List<Row> some = rows.stream().filter(each -> each.lack() == lack).toList();
            if (some.isEmpty()) {
                continue;
            }
            String devices = some.size() == 1 ? "1 device" : some.size() + " devices";
            boolean one = some.size() == 1;
            lines.add(
                    switch (lack) {
                        case NOTHING -> devices + (one ? " has" : " have") + " room for it";
                        case MEMORY ->
                                devices
                                        + (one ? " has" : " have")
                                        + " less than "
                                        + Size.exact(wanted.memory())
                                        + " of memory: the largest has "
                                        + Size.exact(largest(some));
                        case TIME ->
                                devices
                                        + (one ? " has" : " have")
                                        + " the memory but no "
                                        + asked(wanted, now)
                                        + " of "
                                        + (one ? "its" : "their")
                                        + " time: the largest rest is "
                                        + Math.max(0, restOf(some))
                                        + " %";
                        case NOT_NAMED, MODEL ->
                                devices + (one ? " is" : " are") + " not what it asks for";
                    });
        }
        return lines;
    }

    private static long largest(List<Row> rows) {
        return rows.stream().mapToLong(Row::memory).max().orElse(0);
    }

    private static int restOf(List<Row> rows) {
        return rows.stream().mapToInt(Row::timeRest).max().orElse(0);
    }
}
