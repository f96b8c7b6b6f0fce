package facet.device.nvidia.foreign;

import static facet.device.nvidia.foreign.Scratch.number;
import static facet.device.nvidia.foreign.Scratch.word;

import facet.device.DeviceError;
import facet.device.DeviceException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The vendor's libcuda: devices, contexts, streams and events. Handles are numbers. What fails is a
 * {@link DeviceException} that names the call. {@link DriverMemory} and {@link DriverCode} have the
 * rest.
 */
public final class Driver {
    public static final int SUCCESS = 0;
    public static final int NOT_READY = 600;

    /** Who waits sleeps; the device may take long. */
    private static final int SCHEDULE_BLOCKING = 4;

    private static final int STREAM_NON_BLOCKING = 1;
    private static final int EVENT_BLOCKING = 1;
    private static final int EVENT_WITHOUT_TIME = 2;
    private static final int LIMIT_HEAP = 2;
    private static final int LIMIT_PENDING_LAUNCHES = 4;
    private static final int UUID_BYTES = 16;
    private static final int NAME_BYTES = 256;

    private final VendorLibrary library;
    private final Call setCurrent;
    private final Call streamQuery;
    private final Call streamSynchronize;
    private final Call streamWaitEvent;
    private final Call eventRecord;
    private final Call eventQuery;
    private final Call eventSynchronize;

    private Driver(VendorLibrary library) {
        this.library = library;
        setCurrent = library.call("cuCtxSetCurrent", 1);
        streamQuery = library.call("cuStreamQuery", 1);
        streamSynchronize = library.call("cuStreamSynchronize", 1);
        streamWaitEvent = library.call("cuStreamWaitEvent", 3);
        eventRecord = library.call("cuEventRecord", 2);
        eventQuery = library.call("cuEventQuery", 1);
        eventSynchronize = library.call("cuEventSynchronize", 1);
    }

    /** Loads it and begins. */
    public static Driver open(Optional<Path> folder) {
        VendorLibrary library = VendorLibrary.load(folder, "libcuda.so.1");
        Driver driver = new Driver(library);
        check("cuInit", library.call("cuInit", 1).call(0));
        return driver;
    }

    VendorLibrary library() {
        return library;
    }

    static void check(String call, int result) {
        if (result != SUCCESS) {
            throw failure(call, result);
        }
    }

    public static DeviceException failure(String call, int result) {
        return failure(call, result, List.of());
    }

    /**
     * @param assertions that have failed, a line for each thread
     */
    public static DeviceException failure(String call, int result, List<String> assertions) {
        return new DeviceException(
                DeviceError.of(result),
                "the vendor's driver: " + call + " answers " + result,
                assertions);
    }

    // ---- devices

    public int devices() {
        try (Scratch scratch = new Scratch()) {
            MemorySegment place = scratch.room(Long.BYTES);
            check("cuDeviceGetCount", library.call("cuDeviceGetCount", 1).call(place.address()));
            return word(place);
        }
    }

    /** The handle of a device that this process sees. */
    public int device(int ordinal) {
        try (Scratch scratch = new Scratch()) {
            MemorySegment place = scratch.room(Long.BYTES);
            check("cuDeviceGet", library.call("cuDeviceGet", 2).call(place.address(), ordinal));
            return word(place);
        }
    }

    /** 32 hexadecimal digits. */
    public String uuid(int device) {
        String name = library.has("cuDeviceGetUuid_v2") ? "cuDeviceGetUuid_v2" : "cuDeviceGetUuid";
        try (Scratch scratch = new Scratch()) {
            MemorySegment place = scratch.room(UUID_BYTES);
            check(name, library.call(name, 2).call(place.address(), device));
            StringBuilder text = new StringBuilder();
            for (byte each : place.toArray(ValueLayout.JAVA_BYTE)) {
                text.append(String.format("%02x", each));
            }
            return text.toString();
        }
    }

    public String name(int device) {
        try (Scratch scratch = new Scratch()) {
            MemorySegment place = scratch.room(NAME_BYTES);
            check(
                    "cuDeviceGetName",
                    library.call("cuDeviceGetName", 3).call(place.address(), NAME_BYTES, device));
            return Scratch.text(place);
        }
    }

    public long memory(int device) {
        try (Scratch scratch = new Scratch()) {
            MemorySegment place = scratch.room(Long.BYTES);
            check(
                    "cuDeviceTotalMem_v2",
                    library.call("cuDeviceTotalMem_v2", 2).call(place.address(), device));
            return number(place);
        }
    }

    /** 0 for one that the driver does not know. */
    public int attribute(int device, int attribute) {
        try (Scratch scratch = new Scratch()) {
            MemorySegment place = scratch.room(Long.BYTES);
            int result =
                    library.call("cuDeviceGetAttribute", 3)
                            .call(place.address(), attribute, device);
            if (result == DeviceError.INVALID_VALUE.code()
                    || result == DeviceError.NOT_SUPPORTED.code()) {
                return 0;
            }
            check("cuDeviceGetAttribute", result);
            return word(place);
        }
    }

    // ---- contexts

    public long createContext(int device) {
        try (Scratch scratch = new Scratch()) {
            MemorySegment place = scratch.room(Long.BYTES);
            check(
                    "cuCtxCreate_v2",
                    library.call("cuCtxCreate_v2", 3)
                            .call(place.address(), SCHEDULE_BLOCKING, device));
            long context = number(place);
            // It was laid upon what this thread had before, where it would stay.
            check(
                    "cuCtxPopCurrent_v2",
                    library.call("cuCtxPopCurrent_v2", 1).call(place.address()));
            return context;
        }
    }

    /** Calls of this thread are about that one from now on. */
    public void use(long context) {
        check("cuCtxSetCurrent", setCurrent.call(context));
    }

    public int destroyContext(long context) {
        return library.call("cuCtxDestroy_v2", 1).call(context);
    }

    /** Of the current context. */
    public void synchronize() {
        check("cuCtxSynchronize", library.call("cuCtxSynchronize", 0).call());
    }

    /** Of the current context: what kernels have for their own malloc. */
    public void heap(long bytes) {
        limit(LIMIT_HEAP, bytes);
    }

    /** Of the current context: how many launches of kernels may wait. */
    public void pendingLaunches(long most) {
        limit(LIMIT_PENDING_LAUNCHES, most);
    }

    private void limit(int which, long value) {
        check("cuCtxSetLimit", library.call("cuCtxSetLimit", 2).call(which, value));
    }

    // ---- streams

    public long createStream() {
        try (Scratch scratch = new Scratch()) {
            MemorySegment place = scratch.room(Long.BYTES);
            check(
                    "cuStreamCreate",
                    library.call("cuStreamCreate", 2).call(place.address(), STREAM_NON_BLOCKING));
            return number(place);
        }
    }

    public int destroyStream(long stream) {
        return library.call("cuStreamDestroy_v2", 1).call(stream);
    }

    /** Success, not ready, or what went wrong. */
    public int query(long stream) {
        return streamQuery.call(stream);
    }

    public int synchronize(long stream) {
        return streamSynchronize.call(stream);
    }

    public void await(long stream, long event) {
        check("cuStreamWaitEvent", streamWaitEvent.call(stream, event, 0));
    }

    // ---- events

    public long createEvent(boolean timed) {
        int flags = EVENT_BLOCKING | (timed ? 0 : EVENT_WITHOUT_TIME);
        try (Scratch scratch = new Scratch()) {
            MemorySegment place = scratch.room(Long.BYTES);
            check("cuEventCreate", library.call("cuEventCreate", 2).call(place.address(), flags));
            return number(place);
        }
    }

    public int destroyEvent(long event) {
        return library.call("cuEventDestroy_v2", 1).call(event);
    }

    public void record(long event, long stream) {
        check("cuEventRecord", eventRecord.call(event, stream));
    }

    public int queryEvent(long event) {
        return eventQuery.call(event);
    }

    public int synchronizeEvent(long event) {
        return eventSynchronize.call(event);
    }

    /** Nanoseconds. */
    public long elapsed(long start, long end) {
        try (Scratch scratch = new Scratch()) {
            MemorySegment place = scratch.room(Long.BYTES);
            check(
                    "cuEventElapsedTime",
                    library.call("cuEventElapsedTime", 3).call(place.address(), start, end));
            return (long) (place.get(ValueLayout.JAVA_FLOAT, 0) * 1e6);
        }
    }
}
