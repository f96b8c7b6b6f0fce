package facet.device.cpu.texture;

import facet.device.TextureDescription.Edge;
import facet.device.TextureDescription.Format;
import java.util.List;

/**
 * The formulas of CUDA's programming guide, written down as they stand there: one element after the
 * other, with doubles.
 *
 * @param sizes elements along x, y and z; z counts layers where there are fewer axes
 */
record SlowTexture(
        Format format,
        int channels,
        int[] sizes,
        int axes,
        byte[] data,
        List<Edge> edges,
        boolean linear,
        boolean normalized,
        boolean fractions,
        double[] border) {

    static int bytes(Format format) {
        return switch (format) {
            case U8, S8 -> 1;
            case U16, S16, F16 -> 2;
            case U32, S32, F32 -> 4;
        };
    }

    private double channel(int element, int channel) {
        int bytes = bytes(format);
        long bits = 0;
        for (int i = bytes - 1; i >= 0; i--) {
            bits = bits << 8 | data[(element * channels + channel) * bytes + i] & 0xff;
        }
        return switch (format) {
            case U8 -> fractions ? bits / 255.0 : bits;
            case U16 -> fractions ? bits / 65535.0 : bits;
            case U32 -> bits;
            case S8 -> fractions ? Math.max((byte) bits / 127.0, -1) : (byte) bits;
            case S16 -> fractions ? Math.max((short) bits / 32767.0, -1) : (short) bits;
            case S32 -> (int) bits;
            case F16 -> Float.float16ToFloat((short) bits);
            case F32 -> Float.intBitsToFloat((int) bits);
        };
    }

    /** Place on an axis, in elements. */
    private double place(double coordinate, int axis) {
        if (!normalized) {
            return coordinate;
        }
        double whole = Math.floor(coordinate);
        double part = coordinate - whole;
        return sizes[axis]
                * switch (edges.get(axis)) {
                    case WRAP -> part;
                    case MIRROR -> Math.floorMod((long) whole, 2L) == 0 ? part : 1 - part;
                    case CLAMP, BORDER -> coordinate;
                };
    }

    private double texel(int[] at, int layer, int channel) {
        int[] found = new int[3];
        for (int axis = 0; axis < 3; axis++) {
            int size = sizes[axis];
            int i = axis < axes ? at[axis] : axis == 2 ? layer : 0;
            boolean outside = i < 0 || i >= size;
            if (outside && edges.get(axis) == Edge.BORDER) {
                return border[channel];
            }
            boolean wraps = normalized && edges.get(axis) == Edge.WRAP;
            // Filters look one element beyond the mirror: that is the one before it again.
            found[axis] = outside && wraps ? Math.floorMod(i, size) : Math.clamp(i, 0, size - 1);
        }
        return channel((found[2] * sizes[1] + found[1]) * sizes[0] + found[0], channel);
    }

    double sample(double[] coordinates, int layer, int channel) {
        if (channel >= channels) {
            return channel == 3 ? 1 : 0;
        }
        int[] first = new int[3];
        double[] weight = new double[3];
        for (int axis = 0; axis < axes; axis++) {
            double x = place(coordinates[axis], axis) - (linear ? 0.5 : 0);
            first[axis] = (int) Math.floor(x);
            weight[axis] = Math.floor((x - Math.floor(x)) * 256 + 0.5) / 256;
        }
        if (!linear) {
            return texel(first, layer, channel);
        }
        double sum = 0;
        for (int corner = 0; corner < 1 << axes; corner++) {
            int[] at = first.clone();
            double product = 1;
            for (int axis = 0; axis < axes; axis++) {
                int next = corner >> axis & 1;
                at[axis] += next;
                product *= next == 1 ? weight[axis] : 1 - weight[axis];
            }
            sum += product == 0 ? 0 : product * texel(at, layer, channel);
        }
        return sum;
    }
}
