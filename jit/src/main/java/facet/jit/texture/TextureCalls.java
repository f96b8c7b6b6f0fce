package facet.jit.texture;

import facet.jit.math.F16;
import facet.jit.runtime.Block;
import facet.ptx.Geometry;

/** What generated code calls for {@code tex}, {@code tld4} and {@code txq} (PTX ISA 9.7.10). */
@SuppressWarnings("EnumOrdinal") // of a process: code and what it calls are made together
public final class TextureCalls {
    private static final Geometry[] GEOMETRIES = Geometry.values();

    private TextureCalls() {}

    public static int[] fetch1(Block block, long handle, float x) {
        Texture texture = TexelsUnsafe.texture(block, handle, false);
        TextureUnit unit = block.textures();
        unit.sample(block, texture, texture.base, 1, 0, x, 0, 0, 0, 0, 0);
        return unit.result;
    }

    public static int[] fetch2(Block block, long handle, float x, float y) {
        Texture texture = TexelsUnsafe.texture(block, handle, false);
        TextureUnit unit = block.textures();
        unit.sample(block, texture, texture.base, 2, 0, x, y, 0, 0, 0, 0);
        return unit.result;
    }

    public static int[] fetch3(Block block, long handle, float x, float y, float z) {
        Texture texture = TexelsUnsafe.texture(block, handle, false);
        TextureUnit unit = block.textures();
        unit.sample(block, texture, texture.base, 3, 0, x, y, z, 0, 0, 0);
        return unit.result;
    }

    /** Any geometry, at the level that {@code lod} says. */
    public static int[] fetch(
            Block block,
            long handle,
            int geometry,
            int layer,
            float x,
            float y,
            float z,
            float lod,
            int offsetX,
            int offsetY,
            int offsetZ) {
        Texture texture = TexelsUnsafe.texture(block, handle, false);
        TextureUnit unit = block.textures();
        int last = texture.levels.length - 1;
        Geometry shape = GEOMETRIES[geometry];
        if (last == 0) {
            one(
                    unit,
                    block,
                    texture,
                    texture.base,
                    shape,
                    layer,
                    x,
                    y,
                    z,
                    offsetX,
                    offsetY,
                    offsetZ);
            return unit.result;
        }
        Sampling sampling = texture.sampling;
        float level =
                Math.min(Math.max(lod + sampling.bias(), sampling.lowest()), sampling.highest());
        level = level > 0 ? Math.min(level, last) : 0;
        if (!sampling.linearLevels() || !texture.reading.isFloat()) {
            Level nearest = texture.level((int) (level + 0.5f));
            one(unit, block, texture, nearest, shape, layer, x, y, z, offsetX, offsetY, offsetZ);
            return unit.result;
        }
        int lower = (int) level;
        int weight = Coordinates.weight(level, lower);
        one(
                unit,
                block,
                texture,
                texture.level(lower),
                shape,
                layer,
                x,
                y,
                z,
                offsetX,
                offsetY,
                offsetZ);
        if (weight == 0) {
            return unit.result;
        }
        float r = Float.intBitsToFloat(unit.result[0]);
        float g = Float.intBitsToFloat(unit.result[1]);
        float b = Float.intBitsToFloat(unit.result[2]);
        float a = Float.intBitsToFloat(unit.result[3]);
        one(
                unit,
                block,
                texture,
                texture.level(lower + 1),
                shape,
                layer,
                x,
                y,
                z,
                offsetX,
                offsetY,
                offsetZ);
        unit.mix(r, g, b, a, weight);
        return unit.result;
    }

    private static void one(
            TextureUnit unit,
            Block block,
            Texture texture,
            Level level,
            Geometry shape,
            int layer,
            float x,
            float y,
            float z,
            int offsetX,
            int offsetY,
            int offsetZ) {
        switch (shape) {
            case D1, D2, D3 ->
                    unit.sample(
                            block,
                            texture,
                            level,
                            shape.coordinates(),
                            0,
                            x,
                            y,
                            z,
                            offsetX,
                            offsetY,
                            offsetZ);
            case LAYERS_1, LAYERS_2 ->
                    unit.sample(
                            block,
                            texture,
                            level,
                            shape.coordinates(),
                            Coordinates.layer(layer, level.depth()),
                            x,
                            y,
                            0,
                            offsetX,
                            offsetY,
                            0);
            case CUBE, CUBES -> {
                int first = cube(level, layer);
                int face = Cube.face(x, y, z);
                float s = Cube.s(face, x, y, z);
                float t = Cube.t(face, x, y, z);
                if (texture.linear && texture.sampling.seamless()) {
                    unit.seamless(block, texture, level, first, face, s, t);
                } else {
                    // Places on a face are from 0 to 1, whatever the coordinates of others are.
                    float u = texture.normalized ? s : s * level.width();
                    float v = texture.normalized ? t : t * level.width();
                    unit.sample(block, texture, level, 2, first + face, u, v, 0, 0, 0, 0);
                }
            }
        }
    }

    /** The first face of a cube, when there are as many faces as a cube has. */
    private static int cube(Level level, int layer) {
        return Cube.FACES * Coordinates.layer(layer, Math.max(level.depth() / Cube.FACES, 1));
    }

    /** Coordinates that are the numbers of elements: nothing is filtered. */
    public static int[] element(
            Block block,
            long handle,
            int geometry,
            int layer,
            int x,
            int y,
            int z,
            int level,
            int offsetX,
            int offsetY,
            int offsetZ) {
        Texture texture = TexelsUnsafe.texture(block, handle, false);
        TextureUnit unit = block.textures();
        Level at = texture.level(level);
        Geometry shape = GEOMETRIES[geometry];
        int slice = shape.isLayered() ? Coordinates.layer(layer, at.depth()) : 0;
        unit.element(
                block,
                texture,
                at,
                shape.coordinates(),
                slice,
                Coordinates.sum(x, offsetX),
                Coordinates.sum(y, offsetY),
                Coordinates.sum(z, offsetZ));
        return unit.result;
    }

    /** The level at which neighbouring threads are an element apart. */
    public static float level(
            Block block,
            long handle,
            int geometry,
            float xx,
            float xy,
            float xz,
            float yx,
            float yy,
            float yz) {
        Texture texture = TexelsUnsafe.texture(block, handle, false);
        Level base = texture.base;
        boolean cube = GEOMETRIES[geometry].ordinal() >= Geometry.CUBE.ordinal();
        // Directions have no length in elements: half a face is as long as the direction.
        double width = cube ? base.width() / 2.0 : texture.normalized ? base.width() : 1;
        double height = cube ? width : texture.normalized ? base.height() : 1;
        double depth = cube ? width : texture.normalized ? base.depth() : 1;
        double longest =
                Math.max(
                        length(xx * width, xy * height, xz * depth),
                        length(yx * width, yy * height, yz * depth));
        return (float) (Math.log(longest) / Math.log(2));
    }

    private static double length(double x, double y, double z) {
        return Math.sqrt(x * x + y * y + z * z);
    }

    /** A result of 16 bits. */
    public static int half(int bits) {
        return F16.fromFloatRn(Float.intBitsToFloat(bits));
    }

    public static int[] gather(
            Block block,
            long handle,
            int geometry,
            int layer,
            float x,
            float y,
            float z,
            int channel,
            int offsetX,
            int offsetY) {
        Texture texture = TexelsUnsafe.texture(block, handle, false);
        TextureUnit unit = block.textures();
        Level level = texture.base;
        switch (GEOMETRIES[geometry]) {
            case D1, D2, D3 -> unit.gather(block, texture, 0, x, y, channel, offsetX, offsetY);
            case LAYERS_1, LAYERS_2 -> {
                int slice = Coordinates.layer(layer, level.depth());
                unit.gather(block, texture, slice, x, y, channel, offsetX, offsetY);
            }
            case CUBE, CUBES -> {
                int face = Cube.face(x, y, z);
                float scale = texture.normalized ? 1 : level.width();
                unit.gather(
                        block,
                        texture,
                        cube(level, layer) + face,
                        Cube.s(face, x, y, z) * scale,
                        Cube.t(face, x, y, z) * scale,
                        channel,
                        0,
                        0);
            }
        }
        return unit.result;
    }
}
