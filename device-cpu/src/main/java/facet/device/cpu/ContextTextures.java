package facet.device.cpu;

import facet.device.DeviceError;
import facet.device.DeviceException;
import facet.device.TextureDescription;
import facet.jit.texture.Format;
import facet.jit.texture.Level;
import facet.jit.texture.Sampling;
import facet.jit.texture.Texture;
import facet.jit.texture.TextureTable;
import org.jspecify.annotations.Nullable;

/** The textures and surfaces of a context. Any thread; a launch takes the table of its moment. */
final class ContextTextures {
    private volatile TextureTable table = TextureTable.EMPTY;

    TextureTable table() {
        return table;
    }

    synchronized void create(long handle, TextureDescription description) {
        if (handle == 0 || table.isTaken(handle)) {
            throw new DeviceException(
                    DeviceError.INVALID_VALUE,
                    "0x" + Long.toHexString(handle) + " cannot be a new texture");
        }
        table =
                table.with(
                        handle,
                        new Texture(
                                Texture.Shape.valueOf(description.shape().name()),
                                Format.valueOf(description.format().name()),
                                description.channels(),
                                description.levels().stream().map(ContextTextures::level).toList(),
                                sampling(description.sampling())));
    }

    private static Level level(TextureDescription.Level level) {
        return new Level(
                level.address(),
                level.pitch(),
                level.slice(),
                level.width(),
                level.height(),
                level.depth());
    }

    private static @Nullable Sampling sampling(TextureDescription.@Nullable Sampling given) {
        return given == null
                ? null
                : new Sampling(
                        given.edges().stream()
                                .map(each -> Sampling.Edge.valueOf(each.name()))
                                .toList(),
                        given.linear(),
                        given.linearLevels(),
                        given.normalized(),
                        given.fractions(),
                        given.srgb(),
                        given.seamless(),
                        given.bias(),
                        given.lowest(),
                        given.highest(),
                        given.border());
    }

    synchronized void destroy(long handle) {
        if (table.find(handle) == null) {
            throw new DeviceException(
                    DeviceError.INVALID_VALUE, "0x" + Long.toHexString(handle) + " is no texture");
        }
        table = table.without(handle);
    }
}
