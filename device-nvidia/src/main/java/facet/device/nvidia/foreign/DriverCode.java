package facet.device.nvidia.foreign;

import static facet.device.nvidia.foreign.Driver.check;
import static facet.device.nvidia.foreign.Scratch.number;
import static facet.device.nvidia.foreign.Scratch.word;

import facet.device.DeviceError;
import facet.device.DeviceException;
import facet.device.Launch;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/** The vendor's libcuda: modules and launches, of the current context. */
public final class DriverCode {
    private static final int ERROR_LOG = 5;
    private static final int ERROR_LOG_BYTES = 6;
    private static final int LOG_ROOM = 16 << 10;

    // The list behind the last argument of a launch.
    private static final long BUFFER_POINTER = 1;
    private static final long BUFFER_SIZE = 2;

    // CUlaunchConfig: grid, block, shared memory, stream, attributes, their number.
    private static final long CONFIG_BYTES = 56;
    private static final long CONFIG_STREAM = 32;
    private static final long CONFIG_ATTRIBUTES = 40;
    private static final long CONFIG_COUNT = 48;

    // CUlaunchAttribute: which, and its value.
    private static final long ATTRIBUTE_BYTES = 72;
    private static final long ATTRIBUTE_VALUE = 8;
    private static final int COOPERATIVE = 2;
    private static final int CLUSTER = 4;

    private final VendorLibrary library;
    private final Call launch;
    private final Call occupancy;

    public DriverCode(Driver driver) {
        library = driver.library();
        launch = library.call("cuLaunchKernel", 11);
        occupancy = library.call("cuOccupancyMaxActiveBlocksPerMultiprocessor", 4);
    }

    // ---- modules

    /**
     * @param image PTX, a cubin or a fat binary
     * @throws DeviceException with what the vendor's compiler said
     */
    public long load(byte[] image) {
        try (Scratch scratch = new Scratch()) {
            // PTX is a text and ends with a zero; behind others one does no harm.
            MemorySegment copy = scratch.room(image.length + 1L);
            MemorySegment.copy(image, 0, copy, ValueLayout.JAVA_BYTE, 0, image.length);
            MemorySegment log = scratch.room(LOG_ROOM);
            MemorySegment options = scratch.room(2 * Integer.BYTES);
            options.set(ValueLayout.JAVA_INT, 0, ERROR_LOG);
            options.set(ValueLayout.JAVA_INT, Integer.BYTES, ERROR_LOG_BYTES);
            MemorySegment values = scratch.room(2 * Long.BYTES);
            values.set(ValueLayout.JAVA_LONG, 0, log.address());
            values.set(ValueLayout.JAVA_LONG, Long.BYTES, LOG_ROOM);
            MemorySegment place = scratch.room(Long.BYTES);
            int result =
                    library.call("cuModuleLoadDataEx", 5)
                            .call(
                                    place.address(),
                                    copy.address(),
                                    2,
                                    options.address(),
                                    values.address());
            if (result != Driver.SUCCESS) {
                String said = Scratch.text(log).strip();
                throw new DeviceException(
                        DeviceError.of(result),
                        "the vendor's driver refuses the module"
                                + (said.isEmpty()
                                        ? ": cuModuleLoadDataEx answers " + result
                                        : ": " + said));
            }
            return number(place);
        }
    }

    public int unload(long module) {
        return library.call("cuModuleUnload", 1).call(module);
    }

    public long function(long module, String name) {
        try (Scratch scratch = new Scratch()) {
            MemorySegment place = scratch.room(Long.BYTES);
            check(
                    "cuModuleGetFunction of " + name,
                    library.call("cuModuleGetFunction", 3)
                            .call(place.address(), module, scratch.text(name).address()));
            return number(place);
        }
    }

    /** Where a variable is, and how long. */
    public record Place(long address, long bytes) {}

    /** Null when the compiler has left it out. */
    public @Nullable Place variable(long module, String name) {
        try (Scratch scratch = new Scratch()) {
            MemorySegment address = scratch.room(Long.BYTES);
            MemorySegment bytes = scratch.room(Long.BYTES);
            int result =
                    library.call("cuModuleGetGlobal_v2", 4)
                            .call(
                                    address.address(),
                                    bytes.address(),
                                    module,
                                    scratch.text(name).address());
            if (result == DeviceError.NOT_FOUND.code()) {
                return null;
            }
            check("cuModuleGetGlobal_v2 of " + name, result);
            return new Place(number(address), number(bytes));
        }
    }

    public int attribute(long function, int attribute) {
        try (Scratch scratch = new Scratch()) {
            MemorySegment place = scratch.room(Long.BYTES);
            check(
                    "cuFuncGetAttribute",
                    library.call("cuFuncGetAttribute", 3)
                            .call(place.address(), attribute, function));
            return word(place);
        }
    }

    /** Blocks that a multiprocessor has at once; 0 when the driver does not say. */
    public int together(long function, int threads, int dynamicShared) {
        try (Scratch scratch = new Scratch()) {
            MemorySegment place = scratch.room(Long.BYTES);
            return occupancy.call(place.address(), function, threads, dynamicShared)
                            == Driver.SUCCESS
                    ? word(place)
                    : 0;
        }
    }

    public void attribute(long function, int attribute, int value) {
        check(
                "cuFuncSetAttribute",
                library.call("cuFuncSetAttribute", 3).call(function, attribute, value));
    }

    // ---- launches

    /** Arguments of a launch, laid out as the kernel has them; the driver copies them. */
    public static final class ArgumentBuffer {
        private final MemorySegment memory;
        private final int most;

        /**
         * Of one thread at a time.
         *
         * @param most bytes of arguments
         */
        public ArgumentBuffer(int most) {
            this.most = most;
            memory = Arena.ofAuto().allocate(most + 6L * Long.BYTES, Long.BYTES);
        }

        private long list(byte[] arguments, int bytes) {
            if (bytes > most) {
                throw new DeviceException(
                        DeviceError.INVALID_VALUE, bytes + " bytes of arguments are too many");
            }
            MemorySegment.copy(arguments, 0, memory, ValueLayout.JAVA_BYTE, 6L * Long.BYTES, bytes);
            memory.set(ValueLayout.JAVA_LONG, 0, BUFFER_POINTER);
            memory.set(ValueLayout.JAVA_LONG, 8, memory.address() + 6L * Long.BYTES);
            memory.set(ValueLayout.JAVA_LONG, 16, BUFFER_SIZE);
            memory.set(ValueLayout.JAVA_LONG, 24, memory.address() + 5L * Long.BYTES);
            memory.set(ValueLayout.JAVA_LONG, 32, 0); // the end of the list
            memory.set(ValueLayout.JAVA_LONG, 40, bytes);
            return memory.address();
        }
    }

    /**
     * @param buffer of the calling thread
     */
    public void launch(
            long function,
            Launch.Dim grid,
            Launch asked,
            byte[] arguments,
            ArgumentBuffer buffer,
            long stream) {
        long list = buffer.list(arguments, arguments.length);
        Launch.Dim block = asked.block();
        if (asked.cooperative() || asked.cluster() != null) {
            extended(function, grid, asked, list, stream);
            return;
        }
        check(
                "cuLaunchKernel",
                launch.call(
                        function,
                        grid.x(),
                        grid.y(),
                        grid.z(),
                        block.x(),
                        block.y(),
                        block.z(),
                        asked.dynamicShared(),
                        stream,
                        0,
                        arguments.length == 0 ? 0 : list));
    }

    private void extended(long function, Launch.Dim grid, Launch asked, long list, long stream) {
        try (Scratch scratch = new Scratch()) {
            MemorySegment config = scratch.room(CONFIG_BYTES);
            int[] sizes = {
                grid.x(),
                grid.y(),
                grid.z(),
                asked.block().x(),
                asked.block().y(),
                asked.block().z(),
                asked.dynamicShared()
            };
            MemorySegment.copy(sizes, 0, config, ValueLayout.JAVA_INT, 0, sizes.length);
            MemorySegment attributes = scratch.room(2 * ATTRIBUTE_BYTES);
            int count = 0;
            if (asked.cooperative()) {
                attributes.set(ValueLayout.JAVA_INT, 0, COOPERATIVE);
                attributes.set(ValueLayout.JAVA_INT, ATTRIBUTE_VALUE, 1);
                count++;
            }
            Launch.Dim cluster = asked.cluster();
            if (cluster != null) {
                long at = count++ * ATTRIBUTE_BYTES;
                int[] dims = {cluster.x(), cluster.y(), cluster.z()};
                attributes.set(ValueLayout.JAVA_INT, at, CLUSTER);
                MemorySegment.copy(
                        dims, 0, attributes, ValueLayout.JAVA_INT, at + ATTRIBUTE_VALUE, 3);
            }
            config.set(ValueLayout.JAVA_LONG, CONFIG_STREAM, stream);
            config.set(ValueLayout.JAVA_LONG, CONFIG_ATTRIBUTES, attributes.address());
            config.set(ValueLayout.JAVA_INT, CONFIG_COUNT, count);
            check(
                    "cuLaunchKernelEx",
                    library.call("cuLaunchKernelEx", 4).call(config.address(), function, 0, list));
        }
    }
}
