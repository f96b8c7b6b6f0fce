package facet.device.cpu;

import facet.device.Box;
import facet.device.DeviceError;
import facet.device.DeviceException;

/** How much memory a copy of rows and slices spans. */
final class Boxes {
    private Boxes() {}

    static long destinationBytes(Box box) {
        return extent(box, box.destinationPitch(), box.destinationSlice());
    }

    static long sourceBytes(Box box) {
        return extent(box, box.sourcePitch(), box.sourceSlice());
    }

    /** From the first byte to behind the last one. */
    private static long extent(Box box, long pitch, long slice) {
        try {
            if (box.width() < 0 || box.height() < 0 || box.depth() < 0 || pitch < 0 || slice < 0) {
                throw new ArithmeticException("negative");
            }
            if (box.width() == 0 || box.height() == 0 || box.depth() == 0) {
                return 0;
            }
            return Math.addExact(
                    Math.addExact(
                            Math.multiplyExact(box.depth() - 1, slice),
                            Math.multiplyExact(box.height() - 1, pitch)),
                    box.width());
        } catch (ArithmeticException e) {
            throw new DeviceException(DeviceError.INVALID_VALUE, "a copy of " + box, e);
        }
    }
}
