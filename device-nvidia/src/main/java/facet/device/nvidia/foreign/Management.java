package facet.device.nvidia.foreign;

import static facet.device.nvidia.foreign.Scratch.number;
import static facet.device.nvidia.foreign.Scratch.text;
import static facet.device.nvidia.foreign.Scratch.word;

import facet.device.DeviceError;
import facet.device.DeviceException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** NVML: which devices there are. */
public final class Management {
    private static final int TEXT = 96;

    /** nvmlMemory_t: total, free, used. */
    private static final long MEMORY_BYTES = 24;

    /** nvmlPciInfo_t, with the bus's name behind busIdLegacy[16] and five words. */
    private static final long PCI_BYTES = 128;

    private static final long PCI_BUS = 36;
    private static final long PCI_BUS_BYTES = 32;
    private static final int SUCCESS = 0;
    private static final int MOST_INSTANCES = 64;

    /**
     * What NVML tells of a device.
     *
     * @param instance whether it is a part of a device that was divided by its vendor's means (MIG)
     * @param bus of the device, or of the one that it is a part of
     */
    public record Listed(String uuid, String name, String bus, long memory, boolean instance) {}

    private final VendorLibrary library;

    private Management(VendorLibrary library) {
        this.library = library;
    }

    /** Loads it and begins. */
    public static Management open(Optional<Path> folder) {
        Management made = new Management(VendorLibrary.load(folder, "libnvidia-ml.so.1"));
        check("nvmlInit_v2", made.library.call("nvmlInit_v2", 0).call());
        return made;
    }

    /** In the order of NVML; a divided device is all its parts and not itself. */
    public List<Listed> devices() {
        List<Listed> all = new ArrayList<>();
        try (Scratch scratch = new Scratch()) {
            MemorySegment place = scratch.room(Long.BYTES);
            check(
                    "nvmlDeviceGetCount_v2",
                    library.call("nvmlDeviceGetCount_v2", 1).call(place.address()));
            int count = word(place);
            for (int i = 0; i < count; i++) {
                check(
                        "nvmlDeviceGetHandleByIndex_v2",
                        library.call("nvmlDeviceGetHandleByIndex_v2", 2).call(i, place.address()));
                add(number(place), all, scratch);
            }
        }
        return all;
    }

    private void add(long device, List<Listed> all, Scratch scratch) {
        String bus = bus(device, scratch);
        List<Long> instances = instances(device, scratch);
        if (instances.isEmpty()) {
            all.add(listed(device, bus, false, scratch));
        }
        for (long each : instances) {
            all.add(listed(each, bus, true, scratch));
        }
    }

    private Listed listed(long device, String bus, boolean instance, Scratch scratch) {
        MemorySegment memory = scratch.room(MEMORY_BYTES);
        check(
                "nvmlDeviceGetMemoryInfo",
                library.call("nvmlDeviceGetMemoryInfo", 2).call(device, memory.address()));
        return new Listed(
                answer("nvmlDeviceGetUUID", device, scratch),
                answer("nvmlDeviceGetName", device, scratch),
                bus,
                number(memory),
                instance);
    }

    private String answer(String function, long device, Scratch scratch) {
        MemorySegment place = scratch.room(TEXT);
        check(function, library.call(function, 3).call(device, place.address(), TEXT));
        return text(place);
    }

    /** Nothing hangs on it: empty where NVML does not say. */
    private String bus(long device, Scratch scratch) {
        if (!library.has("nvmlDeviceGetPciInfo_v3")) {
            return "";
        }
        MemorySegment place = scratch.room(PCI_BYTES);
        int result = library.call("nvmlDeviceGetPciInfo_v3", 2).call(device, place.address());
        return result == SUCCESS ? text(place.asSlice(PCI_BUS, PCI_BUS_BYTES)) : "";
    }

    /** The parts of a device that is divided; empty when it is not, or cannot be. */
    private List<Long> instances(long device, Scratch scratch) {
        List<Long> all = new ArrayList<>();
        if (!library.has("nvmlDeviceGetMigMode")) {
            return all;
        }
        MemorySegment now = scratch.room(Long.BYTES);
        MemorySegment pending = scratch.room(Long.BYTES);
        int result =
                library.call("nvmlDeviceGetMigMode", 3)
                        .call(device, now.address(), pending.address());
        if (result != SUCCESS || word(now) == 0) {
            return all;
        }
        MemorySegment place = scratch.room(Long.BYTES);
        check(
                "nvmlDeviceGetMaxMigDeviceCount",
                library.call("nvmlDeviceGetMaxMigDeviceCount", 2).call(device, place.address()));
        int most = Math.min(word(place), MOST_INSTANCES);
        for (int i = 0; i < most; i++) {
            // Places of instances may be empty.
            if (library.call("nvmlDeviceGetMigDeviceHandleByIndex", 3)
                            .call(device, i, place.address())
                    == SUCCESS) {
                all.add(number(place));
            }
        }
        return all;
    }

    private static void check(String function, int result) {
        if (result != SUCCESS) {
            throw new DeviceException(
                    DeviceError.NO_DEVICE,
                    function + " of the vendor's libnvidia-ml.so.1 answers " + result);
        }
    }
}
