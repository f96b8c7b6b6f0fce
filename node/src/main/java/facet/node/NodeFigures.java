package facet.node;

import facet.device.DeviceProfile;
import facet.doors.metrics.Figures;
import facet.host.residency.Residency;
import facet.node.server.SliceServer;
import java.time.Instant;

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
        long[] used = new long[server.devices().size()];
        long[] nanos = new long[server.devices().size()];
        for (int i = 0; i < used.length; i++) {
            used[i] = server.memoryUsed(i);
            nanos[i] = server.deviceNanos(i);
        }
        return new Figures.OfSlice(
                server.name(),
                server.slice().memory(),
                server.promised(Instant.now()),
                server.sessions().size(),
                server.launches(),
                server.faults(),
                server.devices(),
                used,
                nanos,
                server.memoryResident(),
                server.waitNanos(),
                server.unsupported().all().stream()
                        .map(each ->
                                new Figures.Unsupported(
                                        each.kind().text(), each.name(), each.count()))
                        .toList());
    }
}
