package facet.jit.texture;

import facet.jit.runtime.Block;

/**
 * Fetches of one block. What a fetch gives lies in {@link #result} until the next one, so that none
 * allocates anything.
 */
public final class TextureUnit {
    final int[] result = new int[4];

    /** Elements between which a fetch lies: where they are in this process, 0 for the border. */
    private final long[] taps = new long[8];

    private final int[] weights = new int[8];

    /** The nearest element, or what lies between neighbours, in one level. */
    void sample(
            Block block,
            Texture texture,
            Level level,
            int axes,
            int slice,
            float x,
            float y,
            float z,
            int offsetX,
            int offsetY,
            int offsetZ) {
        float u = Coordinates.scaled(x, level.width(), texture.edgeX, texture.normalized);
        float v =
                axes < 2
                        ? 0
                        : Coordinates.scaled(y, level.height(), texture.edgeY, texture.normalized);
        float w =
                axes < 3
                        ? 0
                        : Coordinates.scaled(z, level.depth(), texture.edgeZ, texture.normalized);
        if (texture.linear) {
            between(block, texture, level, axes, slice, u, v, w, offsetX, offsetY, offsetZ);
            return;
        }
        int i = Coordinates.sum(Coordinates.whole(Coordinates.floor(u)), offsetX);
        int j = Coordinates.sum(Coordinates.whole(Coordinates.floor(v)), offsetY);
        int k = Coordinates.sum(Coordinates.whole(Coordinates.floor(w)), offsetZ);
        element(block, texture, level, axes, slice, i, j, k);
    }

    /** One element, which may lie outside. */
    void element(
            Block block, Texture texture, Level level, int axes, int slice, int x, int y, int z) {
        long raw = tap(block, texture, level, axes, slice, x, y, z);
        int channels = texture.channels;
        if (raw == 0) {
            System.arraycopy(texture.borderBits, 0, result, 0, channels);
            complete(texture);
            return;
        }
        Reading reading = texture.reading;
        result[0] = reading.bits(raw, 0);
        result[1] = channels > 1 ? reading.bits(raw, 1) : 0;
        result[2] = channels > 2 ? reading.bits(raw, 2) : 0;
        result[3] = channels > 2 ? reading.bits(raw, 3) : texture.one;
    }

    /** Where an element is in this process; 0 when it is the border. */
    private static long tap(
            Block block, Texture texture, Level level, int axes, int slice, int x, int y, int z) {
        int i = Coordinates.index(x, level.width(), texture.edgeX);
        int j = axes < 2 ? 0 : Coordinates.index(y, level.height(), texture.edgeY);
        int k = axes < 3 ? slice : Coordinates.index(z, level.depth(), texture.edgeZ);
        return (i | j | k) < 0
                ? 0
                : TexelsUnsafe.raw(block, level.element(i, j, k, texture.shift), texture.shift);
    }

    private void between(
            Block block,
            Texture texture,
            Level level,
            int axes,
            int slice,
            float u,
            float v,
            float w,
            int offsetX,
            int offsetY,
            int offsetZ) {
        float x = u - 0.5f;
        float left = Coordinates.floor(x);
        int i = Coordinates.sum(Coordinates.whole(left), offsetX);
        int a = Coordinates.weight(x, left);
        int j = 0;
        int b = 0;
        int k = 0;
        int c = 0;
        if (axes > 1) {
            float y = v - 0.5f;
            float above = Coordinates.floor(y);
            j = Coordinates.sum(Coordinates.whole(above), offsetY);
            b = Coordinates.weight(y, above);
            if (axes == 2 && plane(block, texture, level, slice, i, j, a, b)) {
                return;
            }
        }
        if (axes > 2) {
            float z = w - 0.5f;
            float before = Coordinates.floor(z);
            k = Coordinates.sum(Coordinates.whole(before), offsetZ);
            c = Coordinates.weight(z, before);
        }
        int count = 1 << axes;
        for (int each = 0; each < count; each++) {
            int right = each & 1;
            int below = each >> 1 & 1;
            int behind = each >> 2;
            weights[each] =
                    (right == 0 ? Coordinates.ONE - a : a)
                            * (axes < 2 ? 1 : below == 0 ? Coordinates.ONE - b : b)
                            * (axes < 3 ? 1 : behind == 0 ? Coordinates.ONE - c : c);
            taps[each] = tap(block, texture, level, axes, slice, i + right, j + below, k + behind);
        }
        blend(texture, count);
    }

    /**
     * The usual case, written out: four elements of a plane, none of them the border or without
     * weight, or one of them alone. Gives what {@link #blend} gives.
     *
     * @return whether it was one
     */
    private boolean plane(
            Block block, Texture texture, Level level, int slice, int i, int j, int a, int b) {
        if ((a | b) == 0) {
            element(block, texture, level, 2, slice, i, j, 0);
            return true;
        }
        int left = Coordinates.index(i, level.width(), texture.edgeX);
        int right = Coordinates.index(i + 1, level.width(), texture.edgeX);
        int above = Coordinates.index(j, level.height(), texture.edgeY);
        int below = Coordinates.index(j + 1, level.height(), texture.edgeY);
        boolean partial = a == 0 || b == 0 || a == Coordinates.ONE || b == Coordinates.ONE;
        if ((left | right | above | below) < 0 || partial) {
            return false;
        }
        int shift = texture.shift;
        long first = TexelsUnsafe.raw(block, level.element(left, above, slice, shift), shift);
        long second = TexelsUnsafe.raw(block, level.element(right, above, slice, shift), shift);
        long third = TexelsUnsafe.raw(block, level.element(left, below, slice, shift), shift);
        long fourth = TexelsUnsafe.raw(block, level.element(right, below, slice, shift), shift);
        float u = (Coordinates.ONE - a) * (Coordinates.ONE - b) * 0x1p-16f;
        float v = a * (Coordinates.ONE - b) * 0x1p-16f;
        float w = (Coordinates.ONE - a) * b * 0x1p-16f;
        float x = a * b * 0x1p-16f;
        Reading reading = texture.reading;
        for (int channel = 0; channel < texture.channels; channel++) {
            float sum = u * reading.value(first, channel);
            sum += v * reading.value(second, channel);
            sum += w * reading.value(third, channel);
            sum += x * reading.value(fourth, channel);
            result[channel] = Float.floatToRawIntBits(sum);
        }
        complete(texture);
        return true;
    }

    /** Channels that are not there. */
    private void complete(Texture texture) {
        for (int channel = texture.channels; channel < 4; channel++) {
            result[channel] = channel == 3 ? texture.one : 0;
        }
    }

    /** A face of a cube whose neighbours are filtered too. */
    void seamless(
            Block block, Texture texture, Level level, int slice, int face, float s, float t) {
        int count = level.width();
        float x = s * count - 0.5f;
        float y = t * count - 0.5f;
        float left = Coordinates.floor(x);
        float above = Coordinates.floor(y);
        int a = Coordinates.weight(x, left);
        int b = Coordinates.weight(y, above);
        for (int each = 0; each < 4; each++) {
            int right = each & 1;
            int below = each >> 1;
            weights[each] =
                    (right == 0 ? Coordinates.ONE - a : a) * (below == 0 ? Coordinates.ONE - b : b);
            int i = Coordinates.whole(left) + right;
            int j = Coordinates.whole(above) + below;
            boolean inside = i >= 0 && i < count && j >= 0 && j < count;
            taps[each] =
                    inside
                            ? tap(block, texture, level, 2, slice + face, i, j, 0)
                            : beyond(block, texture, level, slice, face, i, j);
        }
        blend(texture, 4);
    }

    /** The element of the next face that continues this one. A corner belongs to one of three. */
    private static long beyond(
            Block block, Texture texture, Level level, int slice, int face, int i, int j) {
        int count = level.width();
        boolean aside = i < 0 || i >= count;
        float s = (2f * i + 1) / count - 1;
        float t = (2f * (aside ? Math.clamp(j, 0, count - 1) : j) + 1) / count - 1;
        float x = Cube.x(face, s, t);
        float y = Cube.y(face, s, t);
        float z = Cube.z(face, s, t);
        int next = Cube.face(x, y, z);
        int u = Coordinates.whole(Coordinates.floor(Cube.s(next, x, y, z) * count));
        int v = Coordinates.whole(Coordinates.floor(Cube.t(next, x, y, z) * count));
        return tap(block, texture, level, 2, slice + next, u, v, 0);
    }

    /** The sum of all taps by their weights, which have 8 bits behind the point for each axis. */
    private void blend(Texture texture, int count) {
        float unit = count == 2 ? 0x1p-8f : count == 4 ? 0x1p-16f : 0x1p-24f;
        int channels = texture.channels;
        Reading reading = texture.reading;
        for (int channel = 0; channel < channels; channel++) {
            float sum = 0;
            for (int each = 0; each < count; each++) {
                long raw = taps[each];
                float value = raw == 0 ? texture.border[channel] : reading.value(raw, channel);
                // A neighbour without weight does not count, not even when it is infinite.
                sum += weights[each] == 0 ? 0 : weights[each] * unit * value;
            }
            result[channel] = Float.floatToRawIntBits(sum);
        }
        complete(texture);
    }

    /** One channel of each of the four elements around a place, from the lower left on. */
    void gather(
            Block block,
            Texture texture,
            int slice,
            float x,
            float y,
            int channel,
            int offsetX,
            int offsetY) {
        Level level = texture.base;
        float u = Coordinates.scaled(x, level.width(), texture.edgeX, texture.normalized) - 0.5f;
        float v = Coordinates.scaled(y, level.height(), texture.edgeY, texture.normalized) - 0.5f;
        int i = Coordinates.sum(Coordinates.whole(Coordinates.floor(u)), offsetX);
        int j = Coordinates.sum(Coordinates.whole(Coordinates.floor(v)), offsetY);
        for (int each = 0; each < 4; each++) {
            int right = each == 1 || each == 2 ? 1 : 0;
            int below = each < 2 ? 1 : 0;
            long raw = tap(block, texture, level, 2, slice, i + right, j + below, 0);
            if (channel >= texture.channels) {
                result[each] = channel == 3 ? texture.one : 0;
            } else {
                result[each] =
                        raw == 0 ? texture.borderBits[channel] : texture.reading.bits(raw, channel);
            }
        }
    }

    /** Between what two levels gave: the first is kept by the caller. */
    void mix(float r, float g, float b, float a, int weight) {
        float second = weight * 0x1p-8f;
        float first = 1 - second;
        result[0] = mixed(first, r, second, result[0]);
        result[1] = mixed(first, g, second, result[1]);
        result[2] = mixed(first, b, second, result[2]);
        result[3] = mixed(first, a, second, result[3]);
    }

    private static int mixed(float first, float value, float second, int bits) {
        return Float.floatToRawIntBits(first * value + second * Float.intBitsToFloat(bits));
    }
}
