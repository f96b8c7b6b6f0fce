package facet.jit.texture;

import java.util.List;

/**
 * How a texture is read.
 *
 * @param edges what lies outside, for x, y and z
 * @param linear between elements, else the nearest one
 * @param linearLevels between levels
 * @param normalized coordinates are from 0 to 1, whatever the size
 * @param fractions integers of 8 and 16 bits are read as fractions of their largest value
 * @param srgb such fractions of 8 bits are sRGB, but for the fourth channel
 * @param seamless cubes are filtered over the edges of their faces
 * @param bias is added to the level that a fetch names; then it is kept from lowest to highest
 * @param border one for each channel
 */
public record Sampling(
        List<Edge> edges,
        boolean linear,
        boolean linearLevels,
        boolean normalized,
        boolean fractions,
        boolean srgb,
        boolean seamless,
        float bias,
        float lowest,
        float highest,
        List<Float> border) {

    /** What a coordinate outside means. */
    public enum Edge {
        WRAP,
        CLAMP,
        MIRROR,
        BORDER
    }

    public Sampling {
        edges = List.copyOf(edges);
        border = List.copyOf(border);
        if (edges.size() != 3 || border.size() != 4) {
            throw new IllegalArgumentException("three edges and four channels of a border");
        }
    }

    /** Of a surface, which has none: elements as they are. */
    static final Sampling NONE =
            new Sampling(
                    List.of(Edge.CLAMP, Edge.CLAMP, Edge.CLAMP),
                    false,
                    false,
                    false,
                    false,
                    false,
                    false,
                    0,
                    0,
                    0,
                    List.of(0f, 0f, 0f, 0f));
}
