package facet.node;

import facet.device.Device;
import facet.device.DeviceFactory;
import facet.device.DeviceProfile;
import facet.device.FoundDevice;
import facet.doors.metrics.Figures;
import facet.host.ledger.MachineMemory;
import facet.host.residency.Residency;
import facet.node.server.DeviceId;
import facet.node.server.LazyDevice;
import facet.node.server.SliceServer;
import facet.node.sharing.DeviceSharing;
import facet.node.sharing.Sharing;
import facet.slices.Explanation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The devices of this node, what is on each of them, and how their time is shared. */
final class NodeDevices implements AutoCloseable {
    private final int cores = Runtime.getRuntime().availableProcessors();
    private int seats = cores;
    private final List<LazyDevice> devices = new ArrayList<>();
    private final List<Residency> residencies = new ArrayList<>();
    private final Sharing sharing;
    private final boolean software;

    NodeDevices(DeviceFactory kind, Options options) {
        software = kind.isSoftware();
        List<DeviceSharing> boards = new ArrayList<>();
        if (kind.isSoftware()) {
            make(kind, options, boards);
        } else {
            take(kind, options, boards);
        }
        sharing = new Sharing(boards);
    }

    /** Those that are there. One piece of work after the other runs on each, to its end. */
    private void take(DeviceFactory kind, Options options, List<DeviceSharing> boards) {
        for (FoundDevice each : kind.found()) {
            DeviceSharing board = DeviceSharing.ofLaunches(1);
            boards.add(board);
            devices.add(
                    new LazyDevice(
                            kind,
                            Optional.of(each.id()),
                            each.profile(),
                            1,
                            options.sharing() ? Optional.of(board) : Optional.empty()));
            residencies.add(
                    new Residency(Integer.toString(residencies.size()), each.profile().memory()));
        }
        seats = 1;
    }

    private void make(DeviceFactory kind, Options options, List<DeviceSharing> boards) {
        String capability = options.profile().orElse(kind.usualCapability());
        List<Long> memories = options.devices().memories(MachineMemory::half);
        for (int i = 0; i < memories.size(); i++) {
            long memory = memories.get(i);
            DeviceSharing board = new DeviceSharing(cores);
            boards.add(board);
            devices.add(
                    new LazyDevice(
                            kind,
                            Optional.empty(),
                            kind.profile(capability, name(options), memory, cores),
                            cores,
                            options.sharing() ? Optional.of(board) : Optional.empty()));
            residencies.add(new Residency(Integer.toString(i), memory));
        }
    }

    private static String name(Options options) {
        String usual =
                options.profile()
                        .map(each -> "Facet Software GPU (compute capability " + each + ")")
                        .orElse("Facet Software GPU");
        return options.name().orElse(usual);
    }

    /** Whether this machine's processors are the devices. */
    boolean areSoftware() {
        return software;
    }

    /** The compute capability of all of them; empty: there is none. */
    Optional<String> capability() {
        return devices.stream().findFirst().map(each -> each.profile().capability());
    }

    int count() {
        return devices.size();
    }

    /** Of each device: seconds of device time that it has in a second. */
    int multiprocessors() {
        return seats;
    }

    List<LazyDevice> all() {
        return List.copyOf(devices);
    }

    /** What is on each of them. */
    List<Residency> residencies() {
        return List.copyOf(residencies);
    }

    List<Residency> residencies(List<Integer> numbers) {
        return numbers.stream().map(residencies::get).toList();
    }

    Sharing sharing() {
        return sharing;
    }

    /** Makes the first one, so that the first program need not wait for it. */
    void warmUp() {
        if (!devices.isEmpty()) {
            Device _ = devices.getFirst().open();
        }
    }

    // ---- for those who ask

    List<Map<String, Object>> rows(
            NodeSlices slices, Optional<String> node, List<SliceServer> current) {
        List<Map<String, Object>> all = new ArrayList<>();
        List<Explanation.Row> rests;
        synchronized (slices) {
            rests = slices.placer().rests();
        }
        for (Figures.OfDevice each : figures(slices, current)) {
            int number = all.size();
            DeviceProfile profile = devices.get(number).profile();
            Map<String, Object> row = new LinkedHashMap<>();
            node.ifPresent(name -> row.put("node", name));
            row.put("device", number);
            row.put("name", profile.name());
            row.put("uuid", DeviceId.text(number, devices.get(number).id()));
            devices.get(number).id().ifPresent(id -> row.put("vendorUuid", id));
            row.put("computeCapability", profile.capability());
            row.put("multiprocessors", each.multiprocessors());
            row.put("memory", each.memory());
            row.put("used", each.used());
            row.put("free", Math.max(0, each.memory() - rests.get(number).memoryPromised()));
            row.put("timeRest", rests.get(number).timeRest());
            row.put("deviceNanos", each.deviceNanos());
            row.put("resident", each.resident());
            row.put("movedOut", each.movedOut());
            row.put("moves", each.moves());
            row.put("movedBytes", each.movedBytes());
            all.add(row);
        }
        return all;
    }

    List<Figures.OfDevice> figures(NodeSlices slices, List<SliceServer> current) {
        List<Figures.OfDevice> all = new ArrayList<>();
        for (int i = 0; i < devices.size(); i++) {
            all.add(
                    NodeFigures.device(
                            i,
                            devices.get(i).profile(),
                            memoryUsed(current, i),
                            slices.deviceNanos(i),
                            residencies.get(i)));
        }
        return all;
    }

    static long memoryUsed(List<SliceServer> slices, int device) {
        return slices.stream()
                .flatMap(each -> each.onDevices().stream())
                .filter(each -> each.device() == device)
                .mapToLong(SliceServer.OnDevice::memory)
                .sum();
    }

    /** When nothing runs on them any more. */
    @Override
    public void close() {
        residencies.forEach(Residency::close);
        devices.forEach(LazyDevice::close);
    }
}
