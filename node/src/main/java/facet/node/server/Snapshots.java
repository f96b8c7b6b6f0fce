package facet.node.server;

import facet.abi.Constants;
import facet.device.Device;
import facet.ring.DeviceSnapshot;
import facet.slices.Slice;
import java.util.ArrayList;
import java.util.List;

/** What a program is told of its devices when it comes. */
final class Snapshots {
    private Snapshots() {}

    /**
     * @param devices those that the slice sees
     */
    static List<DeviceSnapshot> of(List<Device> devices, Slice slice) {
        List<DeviceSnapshot> all = new ArrayList<>();
        for (int i = 0; i < devices.size(); i++) {
            Device device = devices.get(i);
            int number = slice.devices().numbers().get(i);
            all.add(
                    new DeviceSnapshot(
                            device.profile().name(),
                            device instanceof RemoteDevice remote
                                    ? DeviceId.bytes(remote.uuid())
                                    : DeviceId.of(number, device.id()),
                            device.profile().memory(),
                            device.attributes(
                                    device.profile().confinedTo(slice.terms().multiprocessors()),
                                    number,
                                    Constants.DEVICE_ATTRIBUTES)));
        }
        return all;
    }
}
