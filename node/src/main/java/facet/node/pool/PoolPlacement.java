package facet.node.pool;

import facet.node.placing.Books;
import facet.node.placing.Placement;
import facet.place.Choice;
import facet.slices.DeviceSet;
import facet.slices.Promises;
import facet.slices.Site;
import facet.slices.Size;
import facet.slices.Slice;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Which node of the pool has the devices for a slice. Where it does not say: the one whose devices
 * have the least promised, or with 'nearest' the one with the shortest way. What is known of nodes
 * is a moment old; the node itself has the last word.
 */
final class PoolPlacement {
    private PoolPlacement() {}

    /**
     * A node that could have it.
     *
     * @param away nanoseconds there and back
     */
    record Candidate(NodeNews news, long away) {}

    /**
     * A device of another node, and what it means for a slice.
     *
     * @param lack why not; empty: it fits
     */
    record Row(String node, DeviceNews device, Optional<String> lack) {}

    /**
     * @param cost of the dearest of its devices
     */
    private record Found(Candidate node, List<DeviceNews> devices, double cost) {
        String words() {
            String numbers =
                    devices.stream()
                            .map(each -> Integer.toString(each.device()))
                            .collect(Collectors.joining(","));
            double load = devices.stream().mapToDouble(DeviceNews::load).max().orElse(0);
            return String.format(
                    Locale.ROOT,
                    "node %s, device %s: %d%% promised, %.1f ms away",
                    node.news().node(),
                    numbers,
                    Math.round(100 * Math.min(load, 1e6)),
                    node.away() / 1e6);
        }
    }

    /** The devices of a node that may be asked for, and what module place says of them. */
    private record Asked(List<DeviceNews> devices, Books books) {
        static Asked of(Slice wanted, Candidate node, Instant now) {
            List<DeviceNews> devices =
                    node.news().devices().stream()
                            .filter(each -> isNamed(wanted, node.news(), each))
                            .toList();
            List<Books.Device> all =
                    devices.stream().map(each -> device(each, node.news())).toList();
            return new Asked(devices, new Books(wanted, Promises.most(wanted, now), all));
        }

        private static Books.Device device(DeviceNews news, NodeNews node) {
            // What a stranger says of itself: a rest above all would be a promise below nothing.
            int promised = 100 - Math.clamp(news.timeRest(), 0, 100);
            return new Books.Device(
                    news.profile().memory(),
                    news.lendable(),
                    news.profile().name(),
                    !node.draining() && news.lendable() > 0,
                    List.of(new Books.Held(news.memoryPromised(), promised)));
        }
    }

    private static boolean isNamed(Slice wanted, NodeNews node, DeviceNews device) {
        Site site = wanted.devices().site();
        return (!site.isNamed() || site.node().equals(node.node()))
                && (!wanted.devices().isChosen()
                        || wanted.devices().numbers().contains(device.device()));
    }

    /** All devices of the others. */
    static List<Row> rows(Slice wanted, List<Candidate> nodes, Instant now) {
        List<Row> rows = new ArrayList<>();
        for (Candidate node : nodes) {
            rows.addAll(rows(wanted, node, Asked.of(wanted, node, now)));
        }
        return rows;
    }

    private static List<Row> rows(Slice wanted, Candidate node, Asked asked) {
        List<Row> rows = new ArrayList<>();
        for (DeviceNews each : node.news().devices()) {
            int number = asked.devices().indexOf(each);
            Optional<String> lack =
                    number < 0
                            ? Optional.of(notNamed(wanted, node.news(), each))
                            : lack(wanted, node.news(), each, asked.books(), number);
            rows.add(new Row(node.news().node(), each, lack));
        }
        return rows;
    }

    static Placement.Answer of(Slice wanted, List<Candidate> nodes, Instant now) {
        List<Found> found = new ArrayList<>();
        List<String> lacks = new ArrayList<>();
        int count = wanted.devices().count();
        for (Candidate node : nodes) {
            Asked asked = Asked.of(wanted, node, now);
            rows(wanted, node, asked).forEach(each -> each.lack().ifPresent(lacks::add));
            List<Choice> choices = asked.books().choices();
            if (choices.size() >= count) {
                found.add(
                        new Found(
                                node,
                                choices.stream()
                                        .limit(count)
                                        .map(each -> asked.devices().get(each.node()))
                                        .toList(),
                                choices.get(count - 1).cost()));
            }
        }
        if (found.isEmpty()) {
            return new Placement.Refused(refusal(wanted, nodes, lacks));
        }
        Comparator<Found> byCost = Comparator.comparingDouble(Found::cost);
        Comparator<Found> byWay = Comparator.comparingLong(each -> each.node().away());
        boolean nearest = wanted.devices().site().node().equals(Site.NEAREST);
        found.sort(
                (nearest ? byWay.thenComparing(byCost) : byCost.thenComparing(byWay))
                        .thenComparing(each -> each.node().news().node()));
        Found best = found.getFirst();
        return new Placement.Placed(on(wanted, best), why(wanted, found, nearest));
    }

    private static Slice on(Slice wanted, Found best) {
        List<Integer> numbers = best.devices().stream().map(DeviceNews::device).toList();
        Slice placed =
                wanted.withDevices(DeviceSet.of(numbers).at(Site.of(best.node().news().node())));
        long most = best.devices().stream().mapToLong(DeviceNews::lendable).min().orElse(1);
        return wanted.memory() == Slice.ALL_MEMORY ? placed.withMemory(most) : placed;
    }

    private static String why(Slice wanted, List<Found> found, boolean nearest) {
        String reason =
                wanted.devices().site().isNamed()
                        ? "as it was asked for: "
                        : nearest ? "nearest: " : "least promised: ";
        String others =
                found.stream().skip(1).limit(4).map(Found::words).collect(Collectors.joining("; "));
        return reason
                + found.getFirst().words()
                + (others.isEmpty() ? "" : " (not " + others + ")");
    }

    private static String name(NodeNews node, DeviceNews device) {
        return "device " + device.device() + " of node " + node.node();
    }

    private static String notNamed(Slice wanted, NodeNews node, DeviceNews device) {
        Site site = wanted.devices().site();
        return name(node, device)
                + (site.isNamed() && !site.node().equals(node.node())
                        ? " is not of node " + site.node()
                        : " is not named");
    }

    private static Optional<String> lack(
            Slice wanted, NodeNews node, DeviceNews device, Books books, int number) {
        String name = name(node, device);
        return switch (books.fit(number)) {
            case FITS -> Optional.empty();
            case CLOSED ->
                    Optional.of(
                            node.draining()
                                    ? "node " + node.node() + " drains"
                                    : name + " gives no memory");
            case MODEL ->
                    Optional.of(
                            name
                                    + " is "
                                    + device.profile().name()
                                    + ", not "
                                    + wanted.devices().site().model());
            case DEVICE_MEMORY ->
                    Optional.of(
                            name
                                    + " gives "
                                    + Size.exact(device.lendable())
                                    + ", less than "
                                    + Size.exact(wanted.memory()));
            case COMPUTE, POOL, LABELS, DEVICES, CPU, MEMORY, CODEC, RENDER, BURST, PART ->
                    Optional.of(name + " " + books.lacks(number));
        };
    }

    private static String refusal(Slice wanted, List<Candidate> nodes, List<String> lacks) {
        Site site = wanted.devices().site();
        if (site.isNamed()
                && nodes.stream().noneMatch(each -> each.news().node().equals(site.node()))) {
            return "there is no node '"
                    + site.node()
                    + "' that can be reached; 'facet pool status' lists the nodes";
        }
        if (lacks.isEmpty()) {
            return "no other node of the pool that can be reached has a device";
        }
        return lacks.stream().distinct().limit(8).collect(Collectors.joining("; "));
    }
}
