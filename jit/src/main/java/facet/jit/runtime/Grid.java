package facet.jit.runtime;

import facet.jit.texture.TextureTable;

/**
 * One launch: what all its blocks share.
 *
 * @param memoryBase device address where the context's memory starts
 * @param memorySize in bytes, a multiple of 32, so that an aligned access that starts inside ends
 *     inside
 * @param memoryDelta what turns a device address into an address of this process
 * @param windows memory of other contexts that the launch may touch
 * @param textures what handles of textures and surfaces stand for
 * @param parameters address in this process of the packed arguments
 * @param symbols device addresses of the module variables that the kernel names
 * @param environment address that {@code %envreg1:%envreg2} hold: the grid barrier's word, or 0
 * @param sharedBytes static and dynamic shared memory of a block, a multiple of 32
 * @param dynamicShared what the launch asks for, which starts at a multiple of 32
 * @param localBytes local memory and stack of a thread
 * @param cluster that its blocks belong to
 */
public record Grid(
        long memoryBase,
        long memorySize,
        long memoryDelta,
        PeerWindows windows,
        TextureTable textures,
        long parameters,
        long parameterBytes,
        long[] symbols,
        long environment,
        int blocksX,
        int blocksY,
        int blocksZ,
        Shape shape,
        int sharedBytes,
        int dynamicShared,
        int localBytes,
        int multiprocessors,
        long id,
        ClusterShape cluster,
        Services services) {}
