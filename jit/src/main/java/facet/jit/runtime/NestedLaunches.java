package facet.jit.runtime;

/**
 * What kernels ask of the device runtime: launches of other kernels, and copies and fills between
 * them. Answers are {@link RuntimeError#number numbers of errors}, 0 when all is well; nothing here
 * waits, and all arguments are a kernel's word. Called by the threads that run blocks.
 */
public interface NestedLaunches {
    /** Sizes of a launch, as the kernel gives them. */
    record Sizes(int gridX, int gridY, int gridZ, int blockX, int blockY, int blockZ, int shared) {}

    /** Device address of memory for arguments; 0 when there is none. */
    long buffer(long bytes);

    /** The same for a launch of the function; an error is {@link RuntimeError#negative}. */
    long buffer(long function, Sizes sizes);

    /** Launches what the buffer was asked for. */
    int launch(Block block, long buffer, long stream);

    int launch(Block block, long function, long buffer, Sizes sizes, long stream);

    /** How much of what the block has launched has not ended. */
    int unfinished(Block block);

    /** A handle; an error is negative. */
    long createStream();

    int destroyStream(long stream);

    long createEvent();

    int destroyEvent(long event);

    int record(Block block, long event, long stream);

    int await(Block block, long stream, long event);

    /** Rows and slices; of a single row, pitch and slice do not matter. */
    record Place(long address, long pitch, long slice) {}

    /** How much of it, in bytes, rows and slices. */
    record Extents(long width, long height, long depth) {}

    int copy(Block block, Place destination, Place source, Extents extents, long stream);

    int fill(Block block, Place destination, int value, Extents extents, long stream);

    RuntimeQueries queries();
}
