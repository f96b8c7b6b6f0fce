package facet.ring;

/**
 * What a client may know of a device without asking.
 *
 * @param uuid 16 bytes
 * @param memory bytes, as the slice sees it
 * @param attributes by CUdevice_attribute; may be shorter than the table
 */
public record DeviceSnapshot(String name, byte[] uuid, long memory, int[] attributes) {}
