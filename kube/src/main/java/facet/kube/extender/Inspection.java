package facet.kube.extender;

import facet.kube.ledger.Book;
import facet.kube.ledger.ClusterState;
import facet.kube.ledger.Device;
import facet.kube.ledger.Entry;
import facet.kube.ledger.Given;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What is promised of each device, in the words of gpushare's inspect (GiB) and in ours. */
public final class Inspection {
    private static final int GIBIBYTE = 30;

    private Inspection() {}

    /** A pod's part of a device. */
    public record Part(String pod, String container, Given given) {}

    /** By node and device, what is in the books. */
    public static Map<String, Map<Device, List<Part>>> parts(ClusterState state) {
        Map<String, Book> books = new HashMap<>();
        state.books().forEach(each -> books.put(each.node(), each));
        Map<String, Map<Device, List<Part>>> nodes = new LinkedHashMap<>();
        state.nodes()
                .forEach((name, facts) -> {
                    Map<Device, List<Part>> devices = new LinkedHashMap<>();
                    for (Device device : facts.devices()) {
                        List<Part> parts = new ArrayList<>();
                        Book book = books.getOrDefault(name, Book.empty(name));
                        for (Entry entry : book.entries().values()) {
                            // Lines of pods that are gone are left out when the book is written
                            // next.
                            if (state.known(entry.uid()).isEmpty()) {
                                continue;
                            }
                            entry.placed()
                                    .containers()
                                    .forEach((container, given) -> {
                                        if (given.devices().contains(device.uuid())) {
                                            parts.add(
                                                    new Part(
                                                            entry.namespace() + "/" + entry.name(),
                                                            container,
                                                            given));
                                        }
                                    });
                        }
                        devices.put(device, parts);
                    }
                    if (!devices.isEmpty()) {
                        nodes.put(name, devices);
                    }
                });
        return nodes;
    }

    static List<Map<String, Object>> nodes(ClusterState state) {
        List<Map<String, Object>> nodes = new ArrayList<>();
        parts(state)
                .forEach((name, devices) -> {
                    List<Map<String, Object>> shown = new ArrayList<>();
                    long total = 0;
                    long used = 0;
                    for (Map.Entry<Device, List<Part>> each : devices.entrySet()) {
                        long memory = each.getKey().memory() >> GIBIBYTE;
                        long taken = 0;
                        for (Part part : each.getValue()) {
                            taken += part.given().memory();
                        }
                        shown.add(
                                Map.of(
                                        "id",
                                        each.getKey().index(),
                                        "totalGPU",
                                        memory,
                                        "usedGPU",
                                        taken >> GIBIBYTE,
                                        "pods",
                                        each.getValue().stream().map(Part::pod).toList()));
                        total += memory;
                        used += taken >> GIBIBYTE;
                    }
                    nodes.add(
                            Map.of(
                                    "name",
                                    name,
                                    "totalGPU",
                                    total,
                                    "usedGPU",
                                    used,
                                    "devs",
                                    shown));
                });
        return nodes;
    }
}
