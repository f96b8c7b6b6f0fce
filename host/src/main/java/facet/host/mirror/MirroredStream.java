package facet.host.mirror;

import facet.device.Access;
import facet.device.Box;
import facet.device.Event;
import facet.device.Launch;
import facet.device.Stream;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.Consumer;

/**
 * A stream that makes device and image alike around everything that reads or writes memory. Data on
 * its way is in the image alone.
 */
final class MirroredStream implements Stream {
    private final MirroredContext context;
    private final Stream device;
    private final Mirror mirror;
    private final long base;

    MirroredStream(MirroredContext context, Stream device, Mirror mirror, long base) {
        this.context = context;
        this.device = device;
        this.mirror = mirror;
        this.base = base;
    }

    /** What a kernel touches is not known: it may be all that the program can see. */
    @Override
    public void launch(Launch launch) {
        amidExchanges(() -> device.launch(launch));
    }

    @Override
    public void launch(Launch launch, Access access) {
        amidExchanges(() -> device.launch(launch, access));
    }

    private void amidExchanges(Runnable launch) {
        List<Mirror> touched = context.touched();
        if (touched.isEmpty()) {
            launch.run();
            return;
        }
        // Also in a context with a fault: who has begun also ends.
        device.between(() -> touched.forEach(Mirror::before));
        try {
            launch.run();
        } finally {
            device.between(() -> touched.forEach(Mirror::after));
        }
    }

    @Override
    public void copy(long destination, long source, long bytes) {
        exchange(source, bytes);
        writing(
                destination,
                bytes,
                () -> {
                    if (mirror.isStaging(source - base)) {
                        device.copyToDevice(destination, image(source, bytes));
                    } else if (mirror.isStaging(destination - base)) {
                        device.copyFromDevice(image(destination, bytes), source);
                    } else {
                        device.copy(destination, source, bytes);
                    }
                });
    }

    @Override
    public void copy(long destination, long source, Box box) {
        long to = extent(box, box.destinationPitch(), box.destinationSlice());
        long from = extent(box, box.sourcePitch(), box.sourceSlice());
        exchange(source, from);
        writing(
                destination,
                to,
                () -> {
                    if (mirror.isStaging(source - base)) {
                        device.copyToDevice(destination, image(source, from), box);
                    } else if (mirror.isStaging(destination - base)) {
                        device.copyFromDevice(image(destination, to), source, box);
                    } else {
                        device.copy(destination, source, box);
                    }
                });
    }

    private static long extent(Box box, long pitch, long slice) {
        if (box.width() == 0 || box.height() == 0 || box.depth() == 0) {
            return 0;
        }
        return Math.addExact(
                Math.addExact(
                        Math.multiplyExact(box.depth() - 1, slice),
                        Math.multiplyExact(box.height() - 1, pitch)),
                box.width());
    }

    @Override
    public void copyToDevice(long destination, MemorySegment source) {
        writing(destination, source.byteSize(), () -> device.copyToDevice(destination, source));
    }

    @Override
    public void copyFromDevice(MemorySegment destination, long source) {
        exchange(source, destination.byteSize());
        device.copyFromDevice(destination, source);
    }

    @Override
    public void copyToDevice(long destination, MemorySegment source, Box box) {
        long bytes = extent(box, box.destinationPitch(), box.destinationSlice());
        writing(destination, bytes, () -> device.copyToDevice(destination, source, box));
    }

    @Override
    public void copyFromDevice(MemorySegment destination, long source, Box box) {
        exchange(source, extent(box, box.sourcePitch(), box.sourceSlice()));
        device.copyFromDevice(destination, source, box);
    }

    @Override
    public void fill(long destination, int value, int width, long count) {
        long bytes = Math.multiplyExact(count, width);
        writing(destination, bytes, () -> device.fill(destination, value, width, count));
    }

    private void writing(long address, long bytes, Runnable work) {
        long offset = address - base;
        if (!mirror.isShared(offset)) {
            work.run();
            return;
        }
        // As with kernels: who has begun also ends.
        device.between(() -> mirror.beforeWrite(offset, bytes));
        try {
            work.run();
        } finally {
            device.between(() -> mirror.afterWrite(offset, bytes));
        }
    }

    private void exchange(long address, long bytes) {
        long offset = address - base;
        if (mirror.isShared(offset)) {
            device.callback(() -> mirror.exchange(offset, bytes));
        }
    }

    /** The host has checked that the bytes are in the context; a slice checks once more. */
    private MemorySegment image(long address, long bytes) {
        return mirror.segment().asSlice(address - base, bytes);
    }

    // ---- as the device has it

    @Override
    public void record(Event event) {
        device.record(event);
    }

    @Override
    public void await(Event event) {
        device.await(event);
    }

    @Override
    public void callback(Runnable action) {
        device.callback(action);
    }

    @Override
    public void suspend(Consumer<Runnable> action) {
        device.suspend(action);
    }

    @Override
    public void whenEnded(Runnable action) {
        device.whenEnded(action);
    }

    @Override
    public void between(Runnable action) {
        device.between(action);
    }

    @Override
    public boolean isIdle() {
        return device.isIdle();
    }

    @Override
    public void synchronize() {
        device.synchronize();
    }

    @Override
    public void close() {
        device.close();
    }
}
