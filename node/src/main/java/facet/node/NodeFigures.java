package facet.node;

import facet.device.DeviceProfile;
import facet.doors.metrics.Figures;
import facet.host.residency.Residency;
import facet.node.pool.LinkNews;
import facet.node.server.SliceServer;
import facet.slices.DeviceSet;
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

    static Figures.OfLink link(LinkNews link) {
        return new Figures.OfLink(
                link.node(),
                link.connected(),
                link.roundTripNanos() / 1e9,
                link.sessions().sessions(),
                link.sessions().roundTrips(),
                link.sessions().sent(),
                link.sessions().received(),
                link.resumes(),
                link.sessions().sentAgain());
    }

    /** 0, or far/0 where it is on another node. */
    private static List<String> labels(DeviceSet devices, List<SliceServer.OnDevice> there) {
        return devices.isElsewhere()
                ? devices.numbers().stream()
                        .map(each -> devices.site().node() + "/" + each)
                        .toList()
                : there.stream().map(each -> Integer.toString(each.device())).toList();
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
                labels(server.slice().devices(), there),
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
