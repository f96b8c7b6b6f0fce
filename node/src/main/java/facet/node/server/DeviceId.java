package facet.node.server;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** By what programs know a device, whatever its place among those that they see. */
public final class DeviceId {
    private static final Pattern VENDOR =
            Pattern.compile("(?:GPU|MIG)-(\\p{XDigit}{8}(?:-\\p{XDigit}{4}){3}-\\p{XDigit}{12})");

    private DeviceId() {}

    /**
     * The same one as long as the machine is the same. A vendor's device keeps the vendor's: by it
     * the direct engine finds a slice's devices among those of the driver in its own process.
     *
     * @param device its number on the node
     * @param vendor as the vendor's driver names it, GPU-… or MIG-…
     */
    static byte[] of(int device, Optional<String> vendor) {
        return bytes(vendor.flatMap(DeviceId::digits).orElseGet(() -> uuid(device)));
    }

    static byte[] bytes(UUID uuid) {
        return ByteBuffer.allocate(16)
                .putLong(uuid.getMostSignificantBits())
                .putLong(uuid.getLeastSignificantBits())
                .array();
    }

    /** Older drivers name instances by other numbers than these. */
    private static Optional<UUID> digits(String vendor) {
        Matcher matcher = VENDOR.matcher(vendor);
        return matcher.matches()
                ? Optional.of(UUID.fromString(matcher.group(1)))
                : Optional.empty();
    }

    /** Of a device that has none by its vendor. */
    public static UUID uuid(int device) {
        return UUID.nameUUIDFromBytes(
                ("facet " + MachineId.text() + " " + device).getBytes(StandardCharsets.UTF_8));
    }

    /** GPU-5a1c…, as CUDA_VISIBLE_DEVICES understands it. */
    public static String text(int device, Optional<String> vendor) {
        return vendor.orElseGet(() -> "GPU-" + uuid(device));
    }
}
