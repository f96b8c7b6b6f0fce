package facet.device.nvidia;

import facet.device.DeviceError;
import facet.device.DeviceException;
import facet.device.TextureDescription;
import facet.device.TextureDescription.Level;

/** How large a texture is. All that a description says comes from a program. */
final class TextureSizes {
    private TextureSizes() {}

    static int elementBytes(TextureDescription description) {
        int channel =
                switch (description.format()) {
                    case U8, S8 -> 1;
                    case U16, S16, F16 -> 2;
                    case U32, S32, F32 -> 4;
                };
        return channel * description.channels();
    }

    /** From its first byte to its last. For one that was checked. */
    static long span(Level level, int elementBytes) {
        return Math.addExact(
                Math.addExact(
                        Math.multiplyExact(level.depth() - 1L, level.slice()),
                        Math.multiplyExact(level.height() - 1L, level.pitch())),
                Math.multiplyExact((long) level.width(), elementBytes));
    }

    /**
     * What it reads is to be memory of the context, in rows and slices.
     *
     * @throws DeviceException {@link DeviceError#INVALID_VALUE} when it is not
     */
    static void check(TextureDescription description, long base, long bytes) {
        for (Level each : description.levels()) {
            if (!isInside(each, elementBytes(description), base, bytes)) {
                throw new DeviceException(
                        DeviceError.INVALID_VALUE,
                        "a texture or surface of " + each + ", outside of its context's memory");
            }
        }
    }

    private static boolean isInside(Level level, int elementBytes, long base, long bytes) {
        long row = Math.multiplyExact((long) level.width(), elementBytes);
        if (row > Integer.MAX_VALUE
                || level.pitch() < row
                || level.slice() < level.pitch()
                || level.slice() % level.pitch() != 0
                || level.slice() / level.pitch() < level.height()) {
            return false;
        }
        try {
            long offset = Math.subtractExact(level.address(), base);
            return offset >= 0 && offset <= bytes - span(level, elementBytes);
        } catch (ArithmeticException _) {
            return false;
        }
    }

    /** Of all its levels, without what lies between rows. */
    static long elements(TextureDescription description) {
        long sum = 0;
        for (Level each : description.levels()) {
            long rows = Math.multiplyExact((long) each.height(), (long) each.depth());
            sum =
                    Math.addExact(
                            sum,
                            Math.multiplyExact(
                                    rows, (long) each.width() * elementBytes(description)));
        }
        return sum;
    }

    /** Each half as large as the one before, as drivers have them. */
    static boolean areHalved(TextureDescription description) {
        Level first = description.levels().getFirst();
        boolean deep = description.shape() == TextureDescription.Shape.PLAIN;
        for (int i = 1; i < description.levels().size(); i++) {
            Level each = description.levels().get(i);
            if (each.width() != Math.max(1, first.width() >> i)
                    || each.height() != Math.max(1, first.height() >> i)
                    || each.depth() != (deep ? Math.max(1, first.depth() >> i) : first.depth())) {
                return false;
            }
        }
        return true;
    }
}
