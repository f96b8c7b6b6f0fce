package facet.device.cpu;

import facet.device.Box;
import facet.device.DeviceException;
import facet.jit.runtime.NestedLaunches.Extents;
import facet.jit.runtime.NestedLaunches.Place;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;

/**
 * Copies and fills that kernels ask for, as work for a stream. Nothing when they are not all in
 * memory of the context that the launch may access.
 */
final class NestedCopies {
    private NestedCopies() {}

    static Optional<Consumer<CpuStream>> copy(
            CpuAccess access, Place destination, Place source, Extents extents) {
        Box box = box(extents, destination, source.pitch(), source.slice());
        if (!reaches(access, destination.address(), Boxes::destinationBytes, box)
                || !reaches(access, source.address(), Boxes::sourceBytes, box)) {
            return Optional.empty();
        }
        boolean plain = box.height() == 1 && box.depth() == 1;
        return Optional.of(into -> {
            if (plain) {
                into.copy(destination.address(), source.address(), box.width());
            } else {
                into.copy(destination.address(), source.address(), box);
            }
        });
    }

    static Optional<Consumer<CpuStream>> fill(
            CpuAccess access, Place destination, int value, Extents extents) {
        Box box = box(extents, destination, 0, 0);
        return reaches(access, destination.address(), Boxes::destinationBytes, box)
                ? Optional.of(into -> into.fill(destination.address(), value, box))
                : Optional.empty();
    }

    private static Box box(Extents extents, Place destination, long pitch, long slice) {
        return new Box(
                extents.width(),
                extents.height(),
                extents.depth(),
                destination.pitch(),
                destination.slice(),
                pitch,
                slice);
    }

    private static boolean reaches(
            CpuAccess access, long address, ToLongFunction<Box> bytes, Box box) {
        long count;
        try {
            count = bytes.applyAsLong(box);
        } catch (DeviceException tooLarge) {
            return false;
        }
        long offset = address - access.lowest();
        long size = access.end() - access.lowest();
        return offset >= 0 && count <= size && offset <= size - count;
    }
}
