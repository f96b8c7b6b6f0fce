package facet.device;

/**
 * Memory of a device that is seen where it is mapped, by every context of the process. Devices have
 * it whose memory nobody else can map; what others have is windows ({@link Context#reach}). Any
 * thread.
 */
public interface PhysicalMemory extends AutoCloseable {
    /**
     * Gives some of it an address. Nothing can access it there before {@link Place#permit}.
     *
     * @throws DeviceException {@link DeviceError#ADDRESS_TAKEN} when something else is there, or
     *     {@link DeviceError#INVALID_VALUE} when the device cannot map it so
     */
    Place map(long address, long offset, long bytes);

    /** Where some of it is mapped. */
    interface Place {
        /** What kernels, copies and fills of a device may do there; writing includes reading. */
        void permit(Device device, boolean reads, boolean writes);

        /** When nothing uses it any more. */
        void unmap();
    }

    /** What is mapped stays until it is unmapped. */
    @Override
    void close();
}
