package facet.device;

/**
 * What a device is, as programs see it.
 *
 * @param memory in bytes
 * @param l2 bytes of its cache
 * @param memoryKilohertz clock of its memory
 * @param busBits width of the way to its memory
 * @param sharedPerBlock static limit in bytes; {@code sharedPerBlockOptin} is the dynamic one
 */
public record DeviceProfile(
        String name,
        int computeMajor,
        int computeMinor,
        long memory,
        int multiprocessors,
        int clockKilohertz,
        int maxThreadsPerBlock,
        int maxThreadsPerMultiprocessor,
        int maxBlocksPerMultiprocessor,
        int sharedPerBlock,
        int sharedPerBlockOptin,
        int sharedPerMultiprocessor,
        int registersPerBlock,
        int registersPerMultiprocessor,
        int constantMemory,
        int l2,
        int memoryKilohertz,
        int busBits) {

    public static final int WARP = 32;

    /** 8.9 */
    public String capability() {
        return computeMajor + "." + computeMinor;
    }

    public DeviceProfile withMemory(long bytes) {
        return with(bytes, multiprocessors);
    }

    /**
     * The part of the device that a slice sees.
     *
     * @param most multiprocessors that it may use; 0: all
     */
    public DeviceProfile confinedTo(int most) {
        return most == 0 || most >= multiprocessors ? this : with(memory, most);
    }

    private DeviceProfile with(long bytes, int count) {
        return new DeviceProfile(
                name,
                computeMajor,
                computeMinor,
                bytes,
                count,
                clockKilohertz,
                maxThreadsPerBlock,
                maxThreadsPerMultiprocessor,
                maxBlocksPerMultiprocessor,
                sharedPerBlock,
                sharedPerBlockOptin,
                sharedPerMultiprocessor,
                registersPerBlock,
                registersPerMultiprocessor,
                constantMemory,
                l2,
                memoryKilohertz,
                busBits);
    }
}
