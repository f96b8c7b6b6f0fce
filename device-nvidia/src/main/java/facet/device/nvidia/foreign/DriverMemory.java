package facet.device.nvidia.foreign;

import static facet.device.nvidia.foreign.Driver.check;
import static facet.device.nvidia.foreign.Scratch.number;

import facet.device.Box;
import facet.device.DeviceError;
import facet.device.DeviceException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The vendor's libcuda: memory at chosen addresses, copies and fills, of the current context.
 *
 * <p>SAFETY: host memory is given as a native segment, whose bounds are checked before its address
 * is passed. Who gives it sees to it that it stays until the copy has ended.
 */
public final class DriverMemory {
    // CUmemAllocationProp: type, handle types, location (kind, number), and what nobody sets.
    private static final long PROPERTIES_BYTES = 32;
    private static final int PINNED = 1;
    private static final int ON_DEVICE = 1;
    private static final long LOCATION = 8;

    // CUmemAccessDesc: location, flags.
    private static final long ACCESS_BYTES = 12;
    private static final int READ = 1;
    private static final int READ_AND_WRITE = 3;

    // CUDA_MEMCPY2D
    private static final long COPY_BYTES = 128;
    private static final long SOURCE = 16;
    private static final long DESTINATION = 72;
    private static final long KIND = 0;
    private static final long HOST = 8;
    private static final long DEVICE = 16;
    private static final long PITCH = 32;
    private static final long WIDTH = 112;
    private static final long HEIGHT = 120;
    private static final int KIND_HOST = 1;
    private static final int KIND_DEVICE = 2;

    private static final int REGISTER_PORTABLE = 1;

    private final VendorLibrary library;
    private final Call toDevice;
    private final Call fromDevice;
    private final Call onDevice;
    private final Call rows;
    private final Call fill8;
    private final Call fill16;
    private final Call fill32;

    public DriverMemory(Driver driver) {
        library = driver.library();
        toDevice = library.call("cuMemcpyHtoDAsync_v2", 4);
        fromDevice = library.call("cuMemcpyDtoHAsync_v2", 4);
        onDevice = library.call("cuMemcpyDtoDAsync_v2", 4);
        rows = library.call("cuMemcpy2DAsync_v2", 2);
        fill8 = library.call("cuMemsetD8Async", 4);
        fill16 = library.call("cuMemsetD16Async", 4);
        fill32 = library.call("cuMemsetD32Async", 4);
    }

    // ---- addresses

    /** Sizes and addresses of memory are multiples of that. */
    public long granule(int device) {
        try (Scratch scratch = new Scratch()) {
            MemorySegment place = scratch.room(Long.BYTES);
            check(
                    "cuMemGetAllocationGranularity",
                    library.call("cuMemGetAllocationGranularity", 3)
                            .call(place.address(), properties(scratch, device).address(), 0));
            return number(place);
        }
    }

    private static MemorySegment properties(Scratch scratch, int device) {
        MemorySegment properties = scratch.room(PROPERTIES_BYTES);
        properties.set(ValueLayout.JAVA_INT, 0, PINNED);
        properties.set(ValueLayout.JAVA_INT, LOCATION, ON_DEVICE);
        properties.set(ValueLayout.JAVA_INT, LOCATION + Integer.BYTES, device);
        return properties;
    }

    /**
     * Takes addresses, those and no others.
     *
     * @throws DeviceException {@link DeviceError#ADDRESS_TAKEN} when something else is there
     */
    public void reserve(long address, long bytes, long alignment) {
        try (Scratch scratch = new Scratch()) {
            long got = reserve(scratch.room(Long.BYTES), address, bytes, alignment);
            if (got != address) {
                unreserve(got, bytes);
                throw new DeviceException(
                        DeviceError.ADDRESS_TAKEN,
                        "the vendor's driver has other things at 0x" + Long.toHexString(address));
            }
        }
    }

    /** Takes addresses, whichever are free. */
    public long reserve(long bytes, long alignment) {
        try (Scratch scratch = new Scratch()) {
            return reserve(scratch.room(Long.BYTES), 0, bytes, alignment);
        }
    }

    private long reserve(MemorySegment place, long address, long bytes, long alignment) {
        check(
                "cuMemAddressReserve",
                library.call("cuMemAddressReserve", 5)
                        .call(place.address(), bytes, alignment, address, 0));
        return number(place);
    }

    public int unreserve(long address, long bytes) {
        return library.call("cuMemAddressFree", 2).call(address, bytes);
    }

    /** Memory of the device; nothing can access it before it is mapped. */
    public long create(int device, long bytes) {
        try (Scratch scratch = new Scratch()) {
            MemorySegment place = scratch.room(Long.BYTES);
            check(
                    "cuMemCreate",
                    library.call("cuMemCreate", 4)
                            .call(
                                    place.address(),
                                    bytes,
                                    properties(scratch, device).address(),
                                    0));
            return number(place);
        }
    }

    public int release(long memory) {
        return library.call("cuMemRelease", 1).call(memory);
    }

    /** Nothing may access it there yet. */
    public void map(long address, long bytes, long memory, long offset) {
        check("cuMemMap", library.call("cuMemMap", 5).call(address, bytes, offset, memory, 0));
    }

    /** What a device may do with mapped memory; writing includes reading. */
    public void permit(int device, long address, long bytes, boolean reads, boolean writes) {
        try (Scratch scratch = new Scratch()) {
            MemorySegment access = scratch.room(ACCESS_BYTES);
            access.set(ValueLayout.JAVA_INT, 0, ON_DEVICE);
            access.set(ValueLayout.JAVA_INT, Integer.BYTES, device);
            access.set(
                    ValueLayout.JAVA_INT,
                    2 * Integer.BYTES,
                    writes ? READ_AND_WRITE : reads ? READ : 0);
            check(
                    "cuMemSetAccess",
                    library.call("cuMemSetAccess", 4).call(address, bytes, access.address(), 1));
        }
    }

    public int unmap(long address, long bytes) {
        return library.call("cuMemUnmap", 2).call(address, bytes);
    }

    // ---- host memory that the device copies from by itself

    /** Whether the driver takes it; copies work without. */
    public boolean register(MemorySegment memory) {
        return library.call("cuMemHostRegister_v2", 3)
                        .call(memory.address(), memory.byteSize(), REGISTER_PORTABLE)
                == Driver.SUCCESS;
    }

    public int unregister(MemorySegment memory) {
        return library.call("cuMemHostUnregister", 1).call(memory.address());
    }

    // ---- copies and fills

    public void toDevice(long destination, MemorySegment source, long stream) {
        check(
                "cuMemcpyHtoDAsync_v2",
                toDevice.call(destination, source.address(), source.byteSize(), stream));
    }

    public void fromDevice(MemorySegment destination, long source, long stream) {
        check(
                "cuMemcpyDtoHAsync_v2",
                fromDevice.call(destination.address(), source, destination.byteSize(), stream));
    }

    public void onDevice(long destination, long source, long bytes, long stream) {
        check("cuMemcpyDtoDAsync_v2", onDevice.call(destination, source, bytes, stream));
    }

    /**
     * Rows and slices.
     *
     * @param toHost whether the destination is an address of this process; so of the source
     */
    public void box(
            long destination, boolean toHost, long source, boolean fromHost, Box box, long stream) {
        try (Scratch scratch = new Scratch()) {
            MemorySegment copy = scratch.room(COPY_BYTES);
            copy.set(ValueLayout.JAVA_LONG, WIDTH, box.width());
            copy.set(ValueLayout.JAVA_LONG, HEIGHT, box.height());
            for (long slice = 0; slice < box.depth(); slice++) {
                long to = destination + slice * box.destinationSlice();
                long from = source + slice * box.sourceSlice();
                side(copy, DESTINATION, to, toHost, box.destinationPitch());
                side(copy, SOURCE, from, fromHost, box.sourcePitch());
                check("cuMemcpy2DAsync_v2", rows.call(copy.address(), stream));
            }
        }
    }

    private static void side(MemorySegment copy, long at, long address, boolean host, long pitch) {
        copy.set(ValueLayout.JAVA_INT, at + KIND, host ? KIND_HOST : KIND_DEVICE);
        copy.set(ValueLayout.JAVA_LONG, at + HOST, host ? address : 0);
        copy.set(ValueLayout.JAVA_LONG, at + DEVICE, host ? 0 : address);
        copy.set(ValueLayout.JAVA_LONG, at + PITCH, pitch);
    }

    /**
     * @param width 1, 2 or 4 bytes
     */
    public void fill(long destination, int value, int width, long count, long stream) {
        Call fill =
                switch (width) {
                    case 1 -> fill8;
                    case 2 -> fill16;
                    case 4 -> fill32;
                    default ->
                            throw new DeviceException(
                                    DeviceError.INVALID_VALUE, "a fill of " + width + " bytes");
                };
        check(fill.name(), fill.call(destination, value, count, stream));
    }
}
