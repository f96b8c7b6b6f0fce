package facet.node.server;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/** By what programs know a device, whatever its place among those that they see. */
public final class DeviceId {
    private DeviceId() {}

    /**
     * The same one as long as the machine is the same.
     *
     * @param device its number on the node
     */
    static byte[] of(int device) {
        return bytes(uuid(device));
    }

    static byte[] bytes(UUID uuid) {
        return ByteBuffer.allocate(16)
                .putLong(uuid.getMostSignificantBits())
                .putLong(uuid.getLeastSignificantBits())
                .array();
    }

    /** The same, as it is. */
    public static UUID uuid(int device) {
        return UUID.nameUUIDFromBytes(
                ("facet " + MachineId.text() + " " + device).getBytes(StandardCharsets.UTF_8));
    }

    /** GPU-5a1c…, as CUDA_VISIBLE_DEVICES understands it. */
    public static String text(int device) {
        return "GPU-" + uuid(device);
    }
}
