package facet.slices;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Which devices of a node a slice gets. Where it does not name them: those that have the least
 * promised afterwards, of their memory or of their time, whichever is more. So slices spread, and
 * large ones come to large devices. Memory may be promised twice, time may not.
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

    /** How much of a device is promised with the slice on it; 1 is all. */
    private record Load(int device, double memory, double time, int slices) {
        double most() {
            return Math.max(memory, time);
        }

        private static long percent(double part) {
            return Math.round(Math.min(part, 1e6) * 100);
        }

        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "device %d: memory %d%%, time %d%%",
                    device,
                    percent(memory),
                    percent(time));
        }
    }

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
        boolean named = wanted.devices().isChosen();
        List<Integer> possible = new ArrayList<>();
        List<String> lacks = new ArrayList<>();
        List<Integer> asked =
                named
                        ? wanted.devices().numbers()
                        : IntStream.range(0, node.size()).boxed().toList();
        for (int device : asked) {
            Optional<String> lack = lack(device, keepsPromises);
            lack.ifPresent(lacks::add);
            if (lack.isEmpty()) {
                possible.add(device);
            }
        }
        int count = wanted.devices().count();
        if (possible.size() < count) {
            return new Refused(refusal(lacks, possible.size()));
        }
        List<Load> loads = new ArrayList<>(possible.stream().map(this::load).toList());
        loads.sort(
                Comparator.comparingDouble(Load::most)
                        .thenComparingInt(Load::slices)
                        .thenComparingInt(Load::device));
        List<Load> chosen = loads.subList(0, count);
        DeviceSet devices = DeviceSet.of(chosen.stream().map(Load::device).toList());
        String why =
                named
                        ? "as it was asked for"
                        : count == node.size()
                                ? "all devices"
                                : "least promised: " + words(chosen) + others(loads, count, lacks);
        List<Long> memories = node.stream().map(Room::memory).toList();
        return new Placed(on(devices, wanted, memories), why);
    }

    private static String words(List<Load> loads) {
        return loads.stream().map(Load::toString).collect(Collectors.joining("; "));
    }

    private static String others(List<Load> loads, int count, List<String> lacks) {
        String rest =
                loads.size() > count ? " (not " + words(loads.subList(count, loads.size())) : "";
        String close = rest.isEmpty() ? "" : ")";
        return rest + close + (lacks.isEmpty() ? "" : "; " + String.join("; ", lacks));
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

    /** What a device does not have for it. */
    private Optional<String> lack(int device, boolean keepsPromises) {
        Room room = node.get(device);
        boolean one = node.size() == 1;
        if (!wanted.devices().site().suits(room.name())) {
            return Optional.of(
                    (one ? "the device is " : "device " + device + " is ")
                            + room.name()
                            + ", not "
                            + wanted.devices().site().model());
        }
        if (wanted.memory() != Slice.ALL_MEMORY && wanted.memory() > room.memory()) {
            return Optional.of(
                    one
                            ? "slice '"
                                    + wanted.name()
                                    + "' would have "
                                    + Size.exact(wanted.memory())
                                    + " of memory, and a device has "
                                    + Size.exact(room.memory())
                                    + "; ask for less, or start the daemon with more --memory"
                            : "device " + device + " has " + Size.exact(room.memory()));
        }
        List<Slice> all = new ArrayList<>(room.slices());
        all.add(wanted);
        return keepsPromises
                ? Promises.broken(all, now, one ? "the device" : "device " + device)
                : Optional.empty();
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

    private Load load(int device) {
        Room room = node.get(device);
        double memory = part(wanted, room);
        double time = wanted.terms().promised(now);
        int others = 0;
        for (Slice each : room.slices()) {
            // The default slice has all of every device: it says nothing about one of them.
            boolean whole = each.name().equals(Slice.DEFAULT);
            memory += whole ? 0 : part(each, room);
            time += each.terms().promised(now);
            others += whole ? 0 : 1;
        }
        return new Load(device, memory, time / 100, others);
    }

    private static double part(Slice slice, Room room) {
        return (double) Math.min(slice.memory(), room.memory()) / room.memory();
    }
}
