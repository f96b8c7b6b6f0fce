package facet.device.cpu;

import facet.device.Box;
import facet.device.DeviceError;
import facet.device.DeviceException;
import java.lang.foreign.MemorySegment;

/** Copies rows and slices. */
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

    static void copy(MemorySegment into, MemorySegment from, Box box) {
        if (box.width() == 0) {
            return;
        }
        for (long z = 0; z < box.depth(); z++) {
            for (long y = 0; y < box.height(); y++) {
                MemorySegment.copy(
                        from,
                        z * box.sourceSlice() + y * box.sourcePitch(),
                        into,
                        z * box.destinationSlice() + y * box.destinationPitch(),
                        box.width());
            }
        }
    }
}
