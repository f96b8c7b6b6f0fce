package facet.node;

import facet.device.DeviceProfile;
import facet.doors.metrics.Figures;
import facet.host.residency.Residency;
import facet.node.server.SliceServer;
import java.time.Instant;
import java.util.List;

/** Devices and slices as the metrics know them. */
final class NodeFigures {
    private NodeFigures() {}

    static Figures.OfDevice device(
            int device, DeviceProfile profile, long used, long deviceNanos, Residency residency) {
        Residency.Figures figures = residency.figures();
        return new Figures.OfDevice(
                Integer.toString(device),
                profile.multiprocessors(),
                profile.memory(),
                used,
                deviceNanos,
                figures.resident(),
                figures.movedOut(),
                figures.moves(),
                figures.movedBytes());
    }

    static Figures.OfSlice slice(SliceServer server) {
        List<SliceServer.OnDevice> there = server.onDevices();
        return new Figures.OfSlice(
                server.slice().name(),
                server.slice().memory(),
                server.slice().terms().promised(Instant.now()),
                server.sessions().size(),
                server.launches(),
                server.faults(),
                there.stream().map(SliceServer.OnDevice::device).toList(),
                there.stream().mapToLong(SliceServer.OnDevice::memory).toArray(),
                there.stream().mapToLong(SliceServer.OnDevice::nanos).toArray(),
                server.memoryResident(),
                server.waitNanos(),
                server.unsupported().all().stream()
                        .map(each ->
                                new Figures.Unsupported(
                                        each.kind().text(), each.name(), each.count()))
                        .toList());
    }
}
