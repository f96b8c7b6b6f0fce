package facet.device;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A texture or surface over memory of a context.
 *
 * @param levels from the largest to the smallest; at least one, and one where there are no others
 * @param channels 1, 2 or 4
 * @param sampling null: it is a surface
 */
public record TextureDescription(
        Shape shape, Format format, int channels, List<Level> levels, @Nullable Sampling sampling) {

    /** How elements lie. */
    public enum Shape {
        /** Linear memory: what lies outside reads as zero. */
        LINEAR,
        /** One, two or three axes. */
        PLAIN,
        /** Slices are layers. */
        LAYERED,
        /** Slices are faces, six for each cube. */
        CUBE
    }

    /** What one channel of an element is. */
    public enum Format {
        U8,
        U16,
        U32,
        S8,
        S16,
        S32,
        F16,
        F32
    }

    /** What a coordinate outside means. */
    public enum Edge {
        WRAP,
        CLAMP,
        MIRROR,
        BORDER
    }

    /**
     * One level. Nothing of it is trusted: each access is held against the memory of the context.
     *
     * @param address of the first element
     * @param pitch bytes from row to row
     * @param slice bytes from slice to slice
     * @param width in elements, at least 1; so are height and depth
     */
    public record Level(long address, long pitch, long slice, int width, int height, int depth) {}

    /**
     * How it is read.
     *
     * @param edges for x, y and z
     * @param linear between elements, else the nearest one
     * @param linearLevels between levels
     * @param normalized coordinates are from 0 to 1
     * @param fractions integers of 8 and 16 bits are read as fractions of their largest value
     * @param seamless cubes are filtered over the edges of faces
     * @param bias added to the level that a fetch names, which then stays in lowest to highest
     * @param border a value for each of four channels
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
            List<Float> border) {}

    /** More levels than the largest texture can have. */
    public static final int MOST_LEVELS = 32;

    /**
     * @throws DeviceException when it makes no sense
     */
    public TextureDescription {
        levels = List.copyOf(levels);
        boolean sized =
                levels.stream()
                        .allMatch(each -> each.width > 0 && each.height > 0 && each.depth > 0);
        boolean counted = channels == 1 || channels == 2 || channels == 4;
        if (!sized || !counted || levels.isEmpty() || levels.size() > MOST_LEVELS) {
            throw new DeviceException(
                    DeviceError.INVALID_VALUE,
                    "a texture of " + channels + " channels and levels " + levels);
        }
    }
}
