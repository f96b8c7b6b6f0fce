package facet.node;

import facet.device.Device;
import facet.device.DeviceProfile;
import facet.node.control.ControlException;
import facet.node.control.Operations;
import facet.node.log.Log;
import facet.node.residency.Residency;
import facet.node.server.HostPlace;
import facet.node.server.InDaemon;
import facet.node.server.LazyDevice;
import facet.node.server.SliceServer;
import facet.node.slice.LedgerMemory;
import facet.node.slice.Slice;
import facet.node.worker.WorkerCommand;
import facet.node.worker.WorkerProcess;
import facet.sched.Terms;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/** The devices of this node and the slices that share them. */
final class Daemon implements Operations, AutoCloseable {
    private final Options options;
    private final RuntimeFolder folder;
    private final Log log;
    private final Optional<WorkerCommand> worker;
    private final List<LazyDevice> devices = new ArrayList<>();
    private final List<Residency> residencies = new ArrayList<>();
    private final Map<String, SliceServer> slices = new LinkedHashMap<>();
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final long started = System.nanoTime();
    private boolean closed;

    Daemon(Options options, RuntimeFolder folder, Log log) throws IOException {
        this.options = options;
        this.folder = folder;
        this.log = log;
        worker =
                options.worker()
                        ? Optional.of(
                                WorkerCommand.likeThis(
                                        Facetd.class.getName(), options.log(), options.debug()))
                        : Optional.empty();
        int cores = Runtime.getRuntime().availableProcessors();
        long memory = options.memory().orElseGet(MachineMemory::half);
        for (int i = 0; i < options.devices(); i++) {
            devices.add(
                    new LazyDevice(DeviceProfile.standard(options.name(), memory, cores), cores));
            residencies.add(new Residency(Integer.toString(i), memory));
        }
        SliceServer whole = open(new Slice(Slice.DEFAULT, memory, devices.size(), Terms.REST));
        Files.createSymbolicLink(folder.socket(), folder.path().relativize(whole.socket()));
    }

    private SliceServer open(Slice slice) throws IOException {
        List<Device> visible = List.copyOf(devices.subList(0, slice.devices()));
        SliceServer server = SliceServer.open(slice, visible, folder.slices(), this::place, log);
        slices.put(slice.name(), server);
        return server;
    }

    private HostPlace place(Slice slice, List<Device> visible, LedgerMemory ledger, Path place) {
        return worker.<HostPlace>map(
                        command -> new WorkerProcess(slice, visible, ledger, place, command, log))
                .orElseGet(() ->
                        new InDaemon(
                                visible,
                                residencies.subList(0, visible.size()),
                                ledger,
                                slice.terms().most(),
                                slice.terms().priority(),
                                log));
    }

    /** Makes the devices, so that the first program need not wait for them. */
    void warmUp() {
        if (!options.worker()) {
            devices.getFirst().open();
        }
    }

    // ---- what can be asked

    @Override
    public synchronized Map<String, Object> status() {
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("pid", ProcessHandle.current().pid());
        answer.put("uptimeSeconds", (System.nanoTime() - started) / 1_000_000_000L);
        answer.put("runtimeDirectory", folder.path().toString());
        answer.put("devices", devices.size());
        answer.put("slices", slices.size());
        answer.put("sessions", slices.values().stream().mapToInt(e -> e.sessions().size()).sum());
        return answer;
    }

    @Override
    public List<Map<String, Object>> devices() {
        List<SliceServer> current = refreshed();
        List<Map<String, Object>> all = new ArrayList<>();
        long used = current.stream().mapToLong(SliceServer::memoryUsed).sum();
        for (int i = 0; i < devices.size(); i++) {
            DeviceProfile profile = devices.get(i).profile();
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("device", i);
            row.put("name", profile.name());
            row.put("computeCapability", profile.computeMajor() + "." + profile.computeMinor());
            row.put("multiprocessors", profile.multiprocessors());
            row.put("memory", profile.memory());
            row.put("used", used / devices.size());
            Residency.Figures figures = residencies.get(i).figures();
            row.put("resident", figures.resident());
            row.put("movedOut", figures.movedOut());
            row.put("moves", figures.moves());
            row.put("movedBytes", figures.movedBytes());
            all.add(row);
        }
        return all;
    }

    @Override
    public List<Map<String, Object>> slices() {
        List<SliceServer> current = refreshed();
        List<Map<String, Object>> all = new ArrayList<>();
        for (SliceServer each : current) {
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("name", each.slice().name());
            row.put("socket", each.socket().toString());
            row.put("memory", each.slice().memory());
            row.put("memoryUsed", each.memoryUsed());
            row.put(
                    "memoryResident",
                    residencies.stream()
                            .mapToLong(device -> device.residentOf(each.slice().name()))
                            .sum());
            row.put("compute", each.slice().terms().compute());
            row.put("devices", each.slice().devices());
            row.put("sessions", each.sessions().size());
            row.put("launches", each.launches());
            row.put("deviceNanos", each.deviceNanos());
            all.add(row);
        }
        return all;
    }

    @Override
    public List<Map<String, Object>> sessions() {
        List<SliceServer> current = refreshed();
        List<Map<String, Object>> all = new ArrayList<>();
        for (SliceServer slice : current) {
            for (HostPlace.HostedSession each : slice.sessions()) {
                Map<String, Object> row = new LinkedHashMap<>();
                row.put("session", each.options().id());
                row.put("slice", slice.slice().name());
                row.put("pid", each.options().pid());
                row.put("program", each.options().program());
                row.put("memoryUsed", each.memoryUsed());
                row.put("launches", each.launches());
                row.put("deviceNanos", each.deviceNanos());
                all.add(row);
            }
        }
        return all;
    }

    /** All slices, with figures of now. A worker is asked for them, so no lock is held. */
    private List<SliceServer> refreshed() {
        List<SliceServer> current;
        synchronized (this) {
            current = List.copyOf(slices.values());
        }
        current.forEach(SliceServer::refresh);
        return current;
    }

    @Override
    public long defaultMemory() {
        return devices.getFirst().profile().memory();
    }

    @Override
    public synchronized SliceServer create(Slice wanted) throws ControlException {
        if (closed) {
            throw new ControlException("the daemon is going down");
        }
        if (wanted.memory() > defaultMemory()) {
            throw new ControlException(
                    "a slice of "
                            + wanted.memory()
                            + " bytes on devices of "
                            + defaultMemory()
                            + "; ask for less, or start the daemon with more --memory");
        }
        if (wanted.devices() > devices.size()) {
            throw new ControlException(
                    "a slice with "
                            + wanted.devices()
                            + " devices; there are "
                            + devices.size()
                            + ", start the daemon with more --devices");
        }
        Slice slice = wanted;
        for (int i = 2; slices.containsKey(slice.name()); i++) {
            slice = wanted.withName(wanted.name() + "-" + i);
        }
        try {
            SliceServer server = open(slice);
            log.info("slice " + slice.name(), "made, " + slice.memory() + " bytes");
            return server;
        } catch (IOException e) {
            throw new ControlException("the slice cannot be made: " + e.getMessage(), e);
        }
    }

    @Override
    public void remove(String name) {
        SliceServer server;
        synchronized (this) {
            server = slices.get(name);
        }
        if (server != null) {
            // The name is taken as long as the folder is there.
            server.close();
            synchronized (this) {
                slices.remove(name, server);
            }
            log.info("slice " + name, "removed");
        }
    }

    @Override
    public void stop() {
        stopped.countDown();
    }

    void awaitStop() throws InterruptedException {
        stopped.await();
    }

    @Override
    public void close() {
        List<SliceServer> all;
        synchronized (this) {
            closed = true;
            all = List.copyOf(slices.values());
            slices.clear();
        }
        all.forEach(SliceServer::close);
        residencies.forEach(Residency::close);
        devices.forEach(LazyDevice::close);
        stopped.countDown();
    }
}
