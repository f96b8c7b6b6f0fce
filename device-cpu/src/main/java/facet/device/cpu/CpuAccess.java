package facet.device.cpu;

import facet.device.Access;
import facet.jit.runtime.PeerWindows;
import facet.jit.texture.TextureTable;

/**
 * What a launch reaches.
 *
 * @param context alone that it is for
 * @param lowest address of the context's memory that is taken
 * @param end behind the highest one
 * @param windows to memory of other contexts
 * @param textures that there are
 */
record CpuAccess(
        CpuContext context, long lowest, long end, PeerWindows windows, TextureTable textures)
        implements Access {
    static CpuAccess of(CpuContext context) {
        return new CpuAccess(
                context,
                context.memory().lowest(),
                context.memory().end(),
                context.windows(),
                context.textures());
    }
}
