package facet.node.server;

import facet.abi.Constants;
import facet.device.Device;
import facet.ring.DeviceSnapshot;
import facet.slices.Slice;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

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
            all.add(
                    new DeviceSnapshot(
                            device.profile().name(),
                            uuid(i),
                            slice.memory(),
                            device.attributes(
                                    device.profile().confinedTo(slice.terms().multiprocessors()),
                                    i,
                                    Constants.DEVICE_ATTRIBUTES)));
        }
        return all;
    }

    /** The same one as long as the machine is the same. */
    private static byte[] uuid(int device) {
        UUID uuid =
                UUID.nameUUIDFromBytes(
                        ("facet " + MachineId.text() + " " + device)
                                .getBytes(StandardCharsets.UTF_8));
        return ByteBuffer.allocate(16)
                .putLong(uuid.getMostSignificantBits())
                .putLong(uuid.getLeastSignificantBits())
                .array();
    }
}
