package facet.host.residency;

import facet.device.Memory;
import facet.os.SharedMemoryUnsafe;
import java.io.IOException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Bytes of a context's memory that are not on the device, each at the offset that it has there. It
 * is a sparse file without a name: when this process ends, however it does, nothing is left.
 */
final class HostStore implements AutoCloseable {
    private final Memory device;
    private @Nullable SharedMemoryUnsafe host;

    HostStore(Memory device) {
        this.device = device;
    }

    /** Copies to host memory; the range is still on the device. */
    void save(long offset, long bytes, BooleanSupplier stop) throws IOException {
        SharedMemoryUnsafe file = host;
        if (file == null) {
            file = SharedMemoryUnsafe.create("facet-moved-out", device.bytes());
            host = file;
        }
        device.save(offset, bytes, file::write, stop);
    }

    /** Frees the range on the device. */
    void vacate(long offset, long bytes) {
        device.clear(offset, bytes);
    }

    /** Copies back to the device. */
    void restore(long offset, long bytes, BooleanSupplier stop) throws IOException {
        SharedMemoryUnsafe file = host;
        if (file != null) {
            file.pieces(offset, bytes, stop, device::restore);
        }
    }

    /** Forgets a range. */
    void drop(long offset, long bytes) {
        SharedMemoryUnsafe file = host;
        if (file != null) {
            file.punch(offset, bytes);
        }
    }

    @Override
    public void close() {
        SharedMemoryUnsafe file = host;
        if (file != null) {
            file.close();
            host = null;
        }
    }
}
