package facet.node.pool;

import facet.slices.DeviceSet;
import facet.slices.Placement;
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

    private record Found(Candidate node, List<DeviceNews> devices) {
        double load() {
            return devices.stream().mapToDouble(DeviceNews::load).max().orElse(0);
        }

        int timePromised() {
            return devices.stream().mapToInt(each -> 100 - each.timeRest()).max().orElse(0);
        }

        String words() {
            String numbers =
                    devices.stream()
                            .map(each -> Integer.toString(each.device()))
                            .collect(Collectors.joining(","));
            return String.format(
                    Locale.ROOT,
                    "node %s, device %s: %d%% promised, %.1f ms away",
                    node.news().node(),
                    numbers,
                    Math.round(100 * Math.min(load(), 1e6)),
                    node.away() / 1e6);
        }
    }

    /** All devices of the others. */
    static List<Row> rows(Slice wanted, List<Candidate> nodes, Instant now) {
        List<Row> rows = new ArrayList<>();
        for (Candidate node : nodes) {
            for (DeviceNews each : node.news().devices()) {
                rows.add(new Row(node.news().node(), each, lack(wanted, node.news(), each, now)));
            }
        }
        return rows;
    }

    static Placement.Answer of(Slice wanted, List<Candidate> nodes, Instant now) {
        List<Found> found = new ArrayList<>();
        List<String> lacks = new ArrayList<>();
        int count = wanted.devices().count();
        for (Candidate node : nodes) {
            List<DeviceNews> fitting = new ArrayList<>();
            for (Row each : rows(wanted, List.of(node), now)) {
                if (each.lack().isEmpty()) {
                    fitting.add(each.device());
                } else {
                    lacks.add(each.lack().get());
                }
            }
            if (fitting.size() >= count) {
                fitting.sort(
                        Comparator.comparingDouble(DeviceNews::load)
                                .thenComparingInt(each -> 100 - each.timeRest())
                                .thenComparingInt(DeviceNews::device));
                found.add(new Found(node, fitting.subList(0, count)));
            }
        }
        if (found.isEmpty()) {
            return new Placement.Refused(refusal(wanted, nodes, lacks));
        }
        // Slices that name no memory have all of it: then it is their time that tells.
        Comparator<Found> byLoad =
                Comparator.comparingDouble(Found::load).thenComparingInt(Found::timePromised);
        Comparator<Found> byWay = Comparator.comparingLong(each -> each.node().away());
        boolean nearest = wanted.devices().site().node().equals(Site.NEAREST);
        found.sort(
                (nearest ? byWay.thenComparing(byLoad) : byLoad.thenComparing(byWay))
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

    private static Optional<String> lack(
            Slice wanted, NodeNews node, DeviceNews device, Instant now) {
        String name = "device " + device.device() + " of node " + node.node();
        Site site = wanted.devices().site();
        if (site.isNamed() && !site.node().equals(node.node())) {
            return Optional.of(name + " is not of node " + site.node());
        }
        if (node.draining()) {
            return Optional.of("node " + node.node() + " drains");
        }
        if (wanted.devices().isChosen() && !wanted.devices().numbers().contains(device.device())) {
            return Optional.of(name + " is not named");
        }
        if (!site.suits(device.profile().name())) {
            return Optional.of(name + " is " + device.profile().name() + ", not " + site.model());
        }
        if (wanted.memory() != Slice.ALL_MEMORY && wanted.memory() > device.lendable()) {
            return Optional.of(
                    name
                            + " gives "
                            + Size.exact(device.lendable())
                            + ", less than "
                            + Size.exact(wanted.memory()));
        }
        int promised = wanted.terms().promised(now);
        if (promised > Math.max(0, device.timeRest())) {
            return Optional.of(
                    name
                            + " has "
                            + Math.max(0, device.timeRest())
                            + "% of its time left, less than "
                            + promised
                            + "%");
        }
        return Optional.empty();
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
