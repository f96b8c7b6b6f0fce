package facet.device.nvidia;

import facet.device.Device;
import facet.device.PhysicalMemory;
import facet.device.nvidia.foreign.DriverMemory;

/** Memory of the device that no context has, and that is seen where it is mapped. */
final class NvidiaPhysical implements PhysicalMemory {
    private final NvidiaDevice device;
    private final long handle;

    private NvidiaPhysical(NvidiaDevice device, long handle) {
        this.device = device;
        this.handle = handle;
    }

    /** New, with zeros: a driver promises nothing about what was there before. */
    static NvidiaPhysical of(NvidiaDevice device, long bytes) {
        NvidiaPhysical made =
                new NvidiaPhysical(device, device.memory().create(device.handle(), bytes));
        boolean complete = false;
        try {
            made.clear(bytes);
            complete = true;
        } finally {
            if (!complete) {
                made.close();
            }
        }
        return made;
    }

    private void clear(long bytes) {
        long address = device.memory().reserve(bytes, device.granule());
        Somewhere place = new Somewhere(address, bytes);
        try {
            place.map(0);
            place.permit(device, true, true);
            device.clear(address, bytes);
        } finally {
            place.unmap();
        }
    }

    @Override
    public Place map(long address, long offset, long bytes) {
        device.memory().reserve(address, bytes, device.granule());
        Somewhere place = new Somewhere(address, bytes);
        boolean complete = false;
        try {
            place.map(offset);
            complete = true;
        } finally {
            if (!complete) {
                place.unmap();
            }
        }
        return place;
    }

    /** Addresses that are reserved. */
    private final class Somewhere implements Place {
        private final long address;
        private final long bytes;
        private boolean mapped;

        Somewhere(long address, long bytes) {
            this.address = address;
            this.bytes = bytes;
        }

        void map(long offset) {
            driver().map(address, bytes, handle, offset);
            mapped = true;
        }

        @Override
        public void permit(Device whom, boolean reads, boolean writes) {
            driver().permit(((NvidiaDevice) whom).handle(), address, bytes, reads, writes);
        }

        @Override
        public void unmap() {
            // What a broken driver answers here changes nothing: it goes with its process.
            if (mapped) {
                int _ = driver().unmap(address, bytes);
            }
            int _ = driver().unreserve(address, bytes);
        }

        private DriverMemory driver() {
            return device.memory();
        }
    }

    @Override
    public void close() {
        int _ = device.memory().release(handle);
    }
}
