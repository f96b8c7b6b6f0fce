package facet.jit.texture;

import facet.jit.runtime.Block;
import facet.ptx.Modifier;

/** {@code txq}, {@code suq} and {@code istypep} (PTX ISA 9.7.10.5, 9.7.10.6, 9.7.11.4). */
public final class TextureQueries {
    private static final Modifier[] QUERIES = Modifier.values();

    private TextureQueries() {}

    /**
     * @param query the number of the modifier that says what is asked
     */
    public static int query(Block block, long handle, int query, int level, boolean surface) {
        Texture texture = TexelsUnsafe.texture(block, handle, surface);
        Level at = texture.level(level);
        boolean volume = texture.shape == Texture.Shape.PLAIN;
        Sampling sampling = texture.sampling;
        return switch (QUERIES[query]) {
            case WIDTH -> at.width();
            case HEIGHT -> at.height();
            case DEPTH -> volume ? at.depth() : 1;
            case ARRAY_SIZE ->
                    switch (texture.shape) {
                        case LINEAR, PLAIN -> 1;
                        case LAYERED -> at.depth();
                        case CUBE -> Math.max(at.depth() / Cube.FACES, 1);
                    };
            case CHANNEL_DATA_TYPE ->
                    texture.reading.isFloat() ? read(texture) : texture.format.number();
            case CHANNEL_ORDER -> order(texture.channels);
            case NORMALIZED_COORDS -> texture.normalized ? 1 : 0;
            case FORCE_UNNORMALIZED_COORDS -> texture.normalized ? 0 : 1;
            case NUM_MIPMAP_LEVELS -> texture.levels.length;
            case NUM_SAMPLES -> 1;
            case FILTER_MODE -> sampling.linear() ? 1 : 0;
            case ADDR_MODE_0 -> edge(texture.edgeX);
            case ADDR_MODE_1 -> edge(texture.edgeY);
            case ADDR_MODE_2 -> edge(texture.edgeZ);
            // Rows one after the other.
            case MEMORY_LAYOUT -> 0;
            default -> throw new IllegalArgumentException("query " + QUERIES[query]);
        };
    }

    /** Fractions have numbers of their own in OpenCL. */
    private static int read(Texture texture) {
        return switch (texture.reading) {
            case FRACTION_S8 -> 0x10d0;
            case FRACTION_S16 -> 0x10d1;
            case FRACTION_U8, SRGB -> 0x10d2;
            case FRACTION_U16 -> 0x10d3;
            case U8, U16, B32, S8, S16, F16, F32 -> texture.format.number();
        };
    }

    private static int order(int channels) {
        return switch (channels) {
            case 1 -> 0x10b0;
            case 2 -> 0x10b2;
            default -> 0x10b5;
        };
    }

    private static int edge(Sampling.Edge edge) {
        return switch (edge) {
            case WRAP -> 0;
            case MIRROR -> 1;
            case CLAMP -> 3;
            case BORDER -> 4;
        };
    }

    /** Whether a handle, or the variable at an address, is a texture or a surface. */
    public static boolean is(Block block, long handle, boolean surface) {
        return TexelsUnsafe.is(block, handle, surface);
    }
}
