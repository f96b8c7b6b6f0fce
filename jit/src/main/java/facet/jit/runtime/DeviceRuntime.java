package facet.jit.runtime;

import facet.jit.runtime.NestedLaunches.Extents;
import facet.jit.runtime.NestedLaunches.Place;
import facet.jit.runtime.NestedLaunches.Sizes;
import facet.jit.runtime.RuntimeQueries.FunctionAttributes;

/**
 * Functions of CUDA's device runtime, as generated code calls them (CUDA C++ Programming Guide,
 * 'CUDA Dynamic Parallelism'). Pointers are generic addresses of the thread and are checked where
 * they are used; an error is remembered for {@code cudaGetLastError} of the thread.
 */
public final class DeviceRuntime {
    /** What a call counts in a block's budget: how many instructions take as long, roughly. */
    private static final int CALL_COST = 100;

    private static final int LAUNCH_COST = 2_000;

    /** {@code cudaRuntimeGetVersion}. */
    private static final int VERSION = 13_000;

    private DeviceRuntime() {}

    private static NestedLaunches enter(Block block, int cost) {
        StackRoom.demand();
        block.spendDeep(cost);
        return block.grid.services().nested();
    }

    private static int noted(Block block, int t, int error) {
        if (error != 0) {
            block.error(t, error);
        }
        return error;
    }

    /** Stores a number of 8 bytes where that is no error. */
    private static int give(Block block, int t, long pointer, long value) {
        if (value < 0) {
            return noted(block, t, (int) -value);
        }
        AccessUnsafe.putB64(Generic.resolveToWrite(block, t, pointer, Long.BYTES), value);
        return 0;
    }

    private static int giveInt(Block block, int t, long pointer, long value) {
        if (value < 0) {
            return noted(block, t, (int) -value);
        }
        long place = Generic.resolveToWrite(block, t, pointer, Integer.BYTES);
        AccessUnsafe.putB32(place, (int) value);
        return 0;
    }

    // ---- launches

    public static long plainBuffer(Block block, int t, long alignment, long bytes) {
        long buffer = enter(block, LAUNCH_COST).buffer(bytes);
        if (buffer == 0) {
            block.error(t, RuntimeError.MEMORY_ALLOCATION.number());
        }
        return buffer;
    }

    public static long buffer(
            Block block,
            int t,
            long function,
            int gridX,
            int gridY,
            int gridZ,
            int blockX,
            int blockY,
            int blockZ,
            int shared) {
        Sizes sizes = new Sizes(gridX, gridY, gridZ, blockX, blockY, blockZ, shared);
        long buffer = enter(block, LAUNCH_COST).buffer(function, sizes);
        if (buffer < 0) {
            block.error(t, (int) -buffer);
            return 0;
        }
        return buffer;
    }

    public static int launch(Block block, int t, long buffer, long stream) {
        return noted(block, t, enter(block, LAUNCH_COST).launch(block, buffer, stream));
    }

    public static int launchPlain(
            Block block,
            int t,
            long function,
            long buffer,
            int gridX,
            int gridY,
            int gridZ,
            int blockX,
            int blockY,
            int blockZ,
            int shared,
            long stream) {
        Sizes sizes = new Sizes(gridX, gridY, gridZ, blockX, blockY, blockZ, shared);
        NestedLaunches nested = enter(block, LAUNCH_COST);
        return noted(block, t, nested.launch(block, function, buffer, sizes, stream));
    }

    /** What {@code cudaDeviceSynchronize} waits for, which is in device-runtime.ptx. */
    public static int unfinished(Block block, int t) {
        return enter(block, CALL_COST).unfinished(block);
    }

    // ---- errors

    public static int takeError(Block block, int t) {
        int error = block.error(t);
        if (error != 0) {
            block.error(t, 0);
        }
        return error;
    }

    public static int peekError(Block block, int t) {
        return block.error(t);
    }

    // ---- streams and events

    public static int createStream(Block block, int t, long pointer, int flags) {
        return give(block, t, pointer, enter(block, CALL_COST).createStream());
    }

    public static int destroyStream(Block block, int t, long stream) {
        return noted(block, t, enter(block, CALL_COST).destroyStream(stream));
    }

    public static int waitForEvent(Block block, int t, long stream, long event, int flags) {
        return noted(block, t, enter(block, LAUNCH_COST).await(block, stream, event));
    }

    public static int createEvent(Block block, int t, long pointer, int flags) {
        return give(block, t, pointer, enter(block, CALL_COST).createEvent());
    }

    public static int recordEvent(Block block, int t, long event, long stream) {
        return noted(block, t, enter(block, LAUNCH_COST).record(block, event, stream));
    }

    public static int recordEvent(Block block, int t, long event, long stream, int flags) {
        return recordEvent(block, t, event, stream);
    }

    public static int destroyEvent(Block block, int t, long event) {
        return noted(block, t, enter(block, CALL_COST).destroyEvent(event));
    }

    // ---- memory

    public static int allocate(Block block, int t, long pointer, long bytes) {
        long address = Builtins.allocate(block, t, bytes);
        return give(
                block,
                t,
                pointer,
                address == 0 ? RuntimeError.MEMORY_ALLOCATION.negative() : address);
    }

    public static int free(Block block, int t, long address) {
        Builtins.free(block, t, address);
        return 0;
    }

    public static int copy(
            Block block, int t, long destination, long source, long bytes, int kind, long stream) {
        return copyRows(block, t, destination, bytes, source, bytes, bytes, 1, kind, stream);
    }

    public static int copyRows(
            Block block,
            int t,
            long destination,
            long destinationPitch,
            long source,
            long sourcePitch,
            long width,
            long height,
            int kind,
            long stream) {
        Place into = new Place(destination, destinationPitch, 0);
        Place from = new Place(source, sourcePitch, 0);
        Extents extents = new Extents(width, height, 1);
        NestedLaunches nested = enter(block, LAUNCH_COST);
        return noted(block, t, nested.copy(block, into, from, extents, stream));
    }

    /**
     * <pre>
     *   struct cudaMemcpy3DParms, of words of 8 bytes:
     *    0 source array   1 its x, y, z      4 source pointer, pitch, width, height
     *    8 target array   9 its x, y, z     12 target pointer, pitch, width, height
     *   16 width, height, depth
     * </pre>
     */
    public static int copyBox(Block block, int t, long parameters, long stream) {
        NestedLaunches nested = enter(block, LAUNCH_COST);
        long[] words = new long[19];
        for (int i = 0; i < words.length; i++) {
            long at = Generic.resolve(block, t, parameters + 8L * i, Long.BYTES);
            words[i] = AccessUnsafe.getB64(at);
        }
        if (words[0] != 0 || words[8] != 0) {
            return noted(block, t, RuntimeError.NOT_SUPPORTED.number()); // arrays
        }
        try {
            Place from = place(words, 1, 4);
            Place into = place(words, 9, 12);
            Extents extents = new Extents(words[16], words[17], words[18]);
            return noted(block, t, nested.copy(block, into, from, extents, stream));
        } catch (ArithmeticException e) {
            return noted(block, t, RuntimeError.INVALID_VALUE.number());
        }
    }

    private static Place place(long[] words, int position, int pointer) {
        long pitch = words[pointer + 1];
        long slice = Math.multiplyExact(pitch, words[pointer + 3]);
        long offset =
                Math.addExact(
                        Math.addExact(
                                words[position], Math.multiplyExact(words[position + 1], pitch)),
                        Math.multiplyExact(words[position + 2], slice));
        return new Place(Math.addExact(words[pointer], offset), pitch, slice);
    }

    public static int fill(
            Block block, int t, long destination, int value, long bytes, long stream) {
        return fillRows(block, t, destination, bytes, value, bytes, 1, stream);
    }

    public static int fillRows(
            Block block,
            int t,
            long destination,
            long pitch,
            int value,
            long width,
            long height,
            long stream) {
        Place into = new Place(destination, pitch, 0);
        Extents extents = new Extents(width, height, 1);
        NestedLaunches nested = enter(block, LAUNCH_COST);
        return noted(block, t, nested.fill(block, into, value, extents, stream));
    }

    public static int fillBox(
            Block block,
            int t,
            long destination,
            long pitch,
            long rowBytes,
            long rows,
            int value,
            long width,
            long height,
            long depth,
            long stream) {
        NestedLaunches nested = enter(block, LAUNCH_COST);
        long slice;
        try {
            slice = Math.multiplyExact(pitch, rows);
        } catch (ArithmeticException e) {
            return noted(block, t, RuntimeError.INVALID_VALUE.number());
        }
        Place into = new Place(destination, pitch, slice);
        Extents extents = new Extents(width, height, depth);
        return noted(block, t, nested.fill(block, into, value, extents, stream));
    }

    // ---- what the device is

    /** A kernel knows one device, the one it runs on. */
    public static int device(Block block, int t, long pointer) {
        return giveInt(block, t, pointer, 0);
    }

    public static int deviceCount(Block block, int t, long pointer) {
        return giveInt(block, t, pointer, 1);
    }

    public static int version(Block block, int t, long pointer) {
        return giveInt(block, t, pointer, VERSION);
    }

    public static int noPreference(Block block, int t, long pointer) {
        return giveInt(block, t, pointer, 0);
    }

    public static int attribute(Block block, int t, long pointer, int attribute, int device) {
        NestedLaunches nested = enter(block, CALL_COST);
        return device == 0
                ? giveInt(block, t, pointer, nested.queries().attribute(attribute))
                : noted(block, t, RuntimeError.INVALID_DEVICE.number());
    }

    public static int limit(Block block, int t, long pointer, int limit) {
        return give(block, t, pointer, enter(block, CALL_COST).queries().limit(limit));
    }

    /**
     * <pre>
     *   struct cudaFuncAttributes, what is known of it; the rest is left as it is:
     *    0 shared bytes:u64   8 constant bytes:u64   16 local bytes:u64
     *   24 most threads:u32  28 registers:u32  32 PTX:u32  36 binary:u32  44 most dynamic:u32
     * </pre>
     */
    public static int functionAttributes(Block block, int t, long pointer, long function) {
        FunctionAttributes found = enter(block, CALL_COST).queries().attributes(function);
        if (found == null) {
            return noted(block, t, RuntimeError.INVALID_DEVICE_FUNCTION.number());
        }
        give(block, t, pointer, found.sharedBytes());
        give(block, t, pointer + 8, found.constantBytes());
        give(block, t, pointer + 16, found.localBytes());
        giveInt(block, t, pointer + 24, found.mostThreads());
        giveInt(block, t, pointer + 28, found.registers());
        giveInt(block, t, pointer + 44, found.mostDynamic());
        return 0;
    }

    public static int occupancy(
            Block block, int t, long pointer, long function, int threads, long dynamicShared) {
        RuntimeQueries queries = enter(block, CALL_COST).queries();
        return giveInt(block, t, pointer, queries.occupancy(function, threads, dynamicShared));
    }

    public static int occupancy(
            Block block,
            int t,
            long pointer,
            long function,
            int threads,
            long dynamicShared,
            int flags) {
        return occupancy(block, t, pointer, function, threads, dynamicShared);
    }
}
