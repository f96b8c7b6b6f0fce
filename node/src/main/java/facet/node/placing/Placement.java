package facet.node.placing;

import facet.place.Choice;
import facet.place.Fit;
import facet.slices.DeviceSet;
import facet.slices.Promises;
import facet.slices.Size;
import facet.slices.Slice;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Which devices of a node a slice gets. Where it does not name them: those that have the least
 * promised afterwards, of their memory or of their time, whichever is more; that is what the policy
 * in {@code least-promised.policy} of module {@code place} says. Memory may be promised twice, time
 * may not.
 */
public final class Placement {
    private final Slice wanted;
    private final List<Room> node;
    private final Instant now;

    /**
     * A device, as far as it is given away.
     *
     * @param memory bytes that it has
     * @param slices that have a part of it
     * @param name what it is
     */
    public record Room(long memory, Collection<Slice> slices, String name) {
        /** One of which nobody asks what it is. */
        public Room(long memory, Collection<Slice> slices) {
            this(memory, slices, "");
        }
    }

    /** What became of it. */
    public sealed interface Answer {}

    /**
     * @param slice on its devices
     * @param why on these, for people
     */
    public record Placed(Slice slice, String why) implements Answer {}

    /**
     * @param why what is missing on which device, and what to do
     */
    public record Refused(String why) implements Answer {}

    private Placement(Slice wanted, List<Room> node, Instant now) {
        this.wanted = wanted;
        this.node = node;
        this.now = now;
    }

    /** Refuses what a device does not have, or has promised to others. */
    public static Answer of(Slice wanted, List<Room> node, Instant now) {
        return new Placement(wanted, node, now).place(true);
    }

    /**
     * The same for a slice that was there before: promises of time that do not hold any more do not
     * keep it away.
     */
    public static Answer again(Slice wanted, List<Room> node, Instant now) {
        return new Placement(wanted, node, now).place(false);
    }

    /** The slice on devices that were chosen: what nobody said of its memory follows from them. */
    public static Slice on(DeviceSet devices, Slice wanted, List<Long> memories) {
        long most = devices.numbers().stream().mapToLong(memories::get).max().orElse(1);
        Slice placed = wanted.withDevices(devices);
        return wanted.memory() == Slice.ALL_MEMORY ? placed.withMemory(most) : placed;
    }

    private Answer place(boolean keepsPromises) {
        Optional<String> impossible = impossible(wanted, node.size());
        if (impossible.isPresent()) {
            return new Refused(impossible.get());
        }
        List<Integer> asked = asked(wanted, node.size());
        Books books = books(wanted, asked.stream().map(node::get).toList(), keepsPromises, now);
        List<String> lacks = new ArrayList<>();
        for (int i = 0; i < asked.size(); i++) {
            if (books.fit(i) != Fit.FITS) {
                lacks.add(lack(asked.get(i), books, i));
            }
        }
        List<Choice> choices = books.choices();
        int count = wanted.devices().count();
        if (choices.size() < count) {
            return new Refused(refusal(lacks, choices.size()));
        }
        List<Integer> chosen =
                choices.stream().limit(count).map(each -> asked.get(each.node())).toList();
        String why =
                wanted.devices().isChosen()
                        ? "as it was asked for"
                        : count == node.size()
                                ? "all devices"
                                : "least promised: " + why(books, choices, count, lacks);
        List<Long> memories = node.stream().map(Room::memory).toList();
        return new Placed(on(DeviceSet.of(chosen), wanted, memories), why);
    }

    /** The devices that come into question: those that it names, or all. */
    static List<Integer> asked(Slice wanted, int count) {
        return wanted.devices().isChosen()
                ? wanted.devices().numbers()
                : IntStream.range(0, count).boxed().toList();
    }

    static Books books(Slice wanted, List<Room> rooms, boolean keepsPromises, Instant now) {
        return new Books(
                wanted,
                keepsPromises ? Promises.most(wanted, now) : 0,
                rooms.stream().map(each -> device(wanted, each, now)).toList());
    }

    private static Books.Device device(Slice wanted, Room room, Instant now) {
        // Of what others have at the most, as much as they have in the tightest moment together.
        int left = 100 - Promises.rest(room.slices(), wanted, now);
        List<Books.Held> held = new ArrayList<>();
        for (Slice each : room.slices()) {
            int percent = Math.clamp(left, 0, Promises.most(each, now));
            left -= percent;
            // The default slice has all of every device: it says nothing about one of them.
            boolean whole = each.name().equals(Slice.DEFAULT);
            long memory = whole ? 0 : Math.min(each.memory(), room.memory());
            held.add(new Books.Held(memory, percent));
        }
        return new Books.Device(room.memory(), room.memory(), room.name(), true, held);
    }

    private static String why(Books books, List<Choice> choices, int count, List<String> lacks) {
        String others =
                choices.size() > count
                        ? " (not " + words(books, choices.subList(count, choices.size())) + ")"
                        : "";
        return words(books, choices.subList(0, count))
                + others
                + (lacks.isEmpty() ? "" : "; " + String.join("; ", lacks));
    }

    private static String words(Books books, List<Choice> choices) {
        return choices.stream()
                .map(each ->
                        String.format(
                                Locale.ROOT,
                                "device %d: memory %d%%, time %d%%",
                                each.node(),
                                percent(books.memory(each.node())),
                                percent(books.time(each.node()))))
                .collect(Collectors.joining("; "));
    }

    private static long percent(double part) {
        return Math.round(Math.min(part, 1e6) * 100);
    }

    /**
     * What is wrong with devices that no node of so many has.
     *
     * @param count of the node's devices
     */
    public static Optional<String> impossible(Slice wanted, int count) {
        if (count == 0) {
            return Optional.of(
                    "this node has no device for slice '"
                            + wanted.name()
                            + "'; start the daemon with --devices, or 'facet join' a pool that has"
                            + " some");
        }
        for (int device : wanted.devices().numbers()) {
            if (device >= count) {
                return Optional.of(
                        "slice '"
                                + wanted.name()
                                + "' would be on device "
                                + device
                                + ", and there "
                                + (count == 1
                                        ? "is device 0 alone"
                                        : "are devices 0 to " + (count - 1))
                                + "; start the daemon with more --devices");
            }
        }
        if (wanted.devices().count() > count) {
            return Optional.of(
                    "slice '"
                            + wanted.name()
                            + "' would have "
                            + wanted.devices().count()
                            + " devices, and there are "
                            + count
                            + "; start the daemon with more --devices");
        }
        return Optional.empty();
    }

    /**
     * What a device does not have for it, and what to do.
     *
     * @param number of the device in the books
     */
    private String lack(int device, Books books, int number) {
        Room room = node.get(device);
        boolean one = node.size() == 1;
        String name = one ? "the device" : "device " + device;
        return switch (books.fit(number)) {
            case MODEL -> name + " is " + room.name() + ", not " + wanted.devices().site().model();
            case DEVICE_MEMORY ->
                    one
                            ? "slice '"
                                    + wanted.name()
                                    + "' would have "
                                    + Size.exact(wanted.memory())
                                    + " of memory, and a device has "
                                    + Size.exact(room.memory())
                                    + "; ask for less, or start the daemon with more --memory"
                            : name + " has " + Size.exact(room.memory());
            case COMPUTE ->
                    Promises.broken(
                                    Stream.concat(room.slices().stream(), Stream.of(wanted))
                                            .toList(),
                                    now,
                                    name)
                            .orElse(name + " " + books.lacks(number));
            case FITS, CLOSED, POOL, LABELS, DEVICES, CPU, MEMORY, CODEC, RENDER, BURST, PART ->
                    name + " " + books.lacks(number);
        };
    }

    private String refusal(List<String> lacks, int possible) {
        if (node.size() == 1) {
            return lacks.getFirst();
        }
        String memory =
                wanted.memory() == Slice.ALL_MEMORY
                        ? ""
                        : " with " + Size.exact(wanted.memory()) + " of memory";
        int count = wanted.devices().count();
        return "slice '"
                + wanted.name()
                + "'"
                + memory
                + (count == 1 ? " fits on none of the devices" : " fits on " + possible)
                + (count == 1 ? "" : " of the " + count + " devices that it needs")
                + (wanted.devices().isChosen() ? " that it names" : "")
                + ": "
                + String.join("; ", lacks);
    }
}
