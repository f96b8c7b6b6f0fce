package facet.jit.texture;

import facet.jit.texture.Sampling.Edge;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A texture or surface, decoded once so that a fetch only reads fields. */
public final class Texture {
    /** How elements lie: of linear memory nothing outside can be read but zero. */
    public enum Shape {
        LINEAR,
        PLAIN,
        LAYERED,
        CUBE
    }

    final Shape shape;
    final Format format;
    final int channels;

    /** An element has {@code 1 << shift} bytes. */
    final int shift;

    final Level base;
    final Level[] levels;
    final boolean surface;
    final Sampling sampling;

    final Edge edgeX;
    final Edge edgeY;
    final Edge edgeZ;
    final boolean linear;
    final boolean normalized;
    final Reading reading;
    final float[] border = new float[4];
    final int[] borderBits = new int[4];

    /** What a channel that is not there reads as, if it is the fourth. */
    final int one;

    /**
     * @param sampling null: it is a surface
     */
    public Texture(
            Shape shape,
            Format format,
            int channels,
            List<Level> levels,
            @Nullable Sampling sampling) {
        if (channels != 1 && channels != 2 && channels != 4) {
            throw new IllegalArgumentException("channels: " + channels);
        }
        this.shape = shape;
        this.format = format;
        this.channels = channels;
        this.shift = Integer.numberOfTrailingZeros(format.bytes() * channels);
        this.levels = levels.toArray(Level[]::new);
        this.base = levels.getFirst();
        this.surface = sampling == null;
        this.sampling = sampling == null ? Sampling.NONE : sampling;
        this.normalized = this.sampling.normalized();
        this.reading = Reading.of(format, this.sampling);
        this.linear = this.sampling.linear() && reading.isFloat() && shape != Shape.LINEAR;
        this.edgeX = edge(0);
        this.edgeY = edge(1);
        this.edgeZ = edge(2);
        this.one = reading.isFloat() ? Float.floatToRawIntBits(1) : 1;
        for (int i = 0; i < 4; i++) {
            border[i] = shape == Shape.LINEAR ? 0 : this.sampling.border().get(i);
            // Programs that read integers give the border as bits.
            borderBits[i] = Float.floatToRawIntBits(border[i]);
        }
    }

    private Edge edge(int axis) {
        if (shape == Shape.LINEAR) {
            return Edge.BORDER;
        }
        if (shape == Shape.CUBE) {
            return Edge.CLAMP;
        }
        Edge edge = sampling.edges().get(axis);
        boolean cyclic = edge == Edge.WRAP || edge == Edge.MIRROR;
        return cyclic && !normalized ? Edge.CLAMP : edge;
    }

    Level level(int number) {
        return levels[Math.clamp(number, 0, levels.length - 1)];
    }
}
