package facet.kube.ledger;

import facet.place.Cluster;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What is promised of a node's devices, and to whom.
 *
 * @param version of the object; empty: it is not there yet
 * @param entries by the uids of pods
 */
public record Book(String node, String version, Map<String, Entry> entries) {
    public Book {
        entries = Map.copyOf(entries);
    }

    public static Book empty(String node) {
        return new Book(node, "", Map.of());
    }

    public Book with(Entry entry) {
        Map<String, Entry> all = new LinkedHashMap<>(entries);
        all.put(entry.uid(), entry);
        return new Book(node, version, all);
    }

    public Book without(String uid) {
        Map<String, Entry> all = new LinkedHashMap<>(entries);
        all.remove(uid);
        return new Book(node, version, all);
    }

    /** What is promised of one device. */
    private static final class Sum {
        private long memory;
        private long thousandths;
        private long codec;
        private long render;

        void add(Given given) {
            memory = Math.addExact(memory, given.memory());
            thousandths += given.thousandths();
            codec += given.codec();
            render += given.render();
        }

        boolean isWithin(Device device) {
            return memory <= device.memory()
                    && thousandths <= Cluster.WHOLE
                    && codec <= Cluster.WHOLE
                    && render <= Cluster.WHOLE;
        }
    }

    /**
     * Whether all of it is there: no device has more promised than it has, and the pod's devices
     * are among them.
     *
     * @param uid of the pod that comes
     */
    public boolean holds(List<Device> devices, String uid) {
        Entry entry = entries.get(uid);
        if (entry == null) {
            return false;
        }
        Map<String, Sum> sums = new HashMap<>();
        for (Entry each : entries.values()) {
            for (Given given : each.placed().containers().values()) {
                for (String device : given.devices()) {
                    sums.computeIfAbsent(device, _ -> new Sum()).add(given);
                }
            }
        }
        Map<String, Device> there = new HashMap<>();
        devices.forEach(each -> there.put(each.uuid(), each));
        for (Given given : entry.placed().containers().values()) {
            for (String uuid : given.devices()) {
                Device device = there.get(uuid);
                Sum sum = sums.get(uuid);
                if (device == null || sum == null || !device.healthy() || !sum.isWithin(device)) {
                    return false;
                }
            }
        }
        return true;
    }
}
