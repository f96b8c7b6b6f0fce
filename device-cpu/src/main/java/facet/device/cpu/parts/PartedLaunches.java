package facet.device.cpu.parts;

import facet.device.Context;
import facet.device.DeviceException;
import facet.device.Launch;
import facet.device.Launch.Dim;
import facet.device.Stream;
import facet.ptx.rewrite.BlockBox;
import facet.ptx.rewrite.BlockForm;
import facet.ptx.rewrite.GridSize;
import facet.ptx.rewrite.HiddenArguments;
import java.lang.foreign.MemorySegment;

/**
 * Executes the launches of a stream in parts. Ranges are queued; persistent ones are waited for.
 */
final class PartedLaunches {
    /** So many parts of a launch are stopped at any moment; then it is to come to its end. */
    private static final int STOPPED = 4;

    private final Context context;
    private final Stream stream;
    private final Parts parts;

    PartedLaunches(Context context, Stream stream, Parts parts) {
        this.context = context;
        this.stream = stream;
        this.parts = parts;
    }

    void launch(Launch launch) {
        if (!(launch.kernel() instanceof PartedKernel kernel)) {
            stream.launch(launch);
        } else if (!isGrid(launch.grid())) {
            stream.launch(with(launch, kernel, launch.grid(), new byte[HiddenArguments.BYTES]));
        } else {
            GridSize grid = new GridSize(launch.grid().x(), launch.grid().y(), launch.grid().z());
            if (kernel.form().form() == BlockForm.RANGES) {
                ranges(launch, kernel, grid);
            } else {
                persistent(launch, kernel, grid);
            }
        }
    }

    /** What is no grid the device refuses. */
    private static boolean isGrid(Dim grid) {
        return grid.x() > 0 && grid.y() > 0 && grid.z() > 0;
    }

    /** Blocks that must be there together stay together. */
    private static boolean isWhole(Launch launch) {
        return launch.cooperative() || launch.cluster() != null;
    }

    private void ranges(Launch launch, PartedKernel kernel, GridSize grid) {
        long blocks = grid.blocks();
        long first = 0;
        while (first < blocks) {
            long left = blocks - first;
            long count = isWhole(launch) ? left : Math.min(left, parts.size().applyAsLong(left));
            for (BlockBox box : BlockBox.of(grid, first, count)) {
                Dim size = new Dim(box.size().x(), box.size().y(), box.size().z());
                stream.launch(with(launch, kernel, size, HiddenArguments.ranges(grid, box)));
            }
            first += count;
        }
    }

    private void persistent(Launch launch, PartedKernel kernel, GridSize grid) {
        long blocks = grid.blocks();
        int resident = (int) (isWhole(launch) ? blocks : Math.min(blocks, parts.resident()));
        long state = context.allocate(HiddenArguments.stateBytes(resident));
        try (Stream beside = context.createStream()) {
            long done = 0;
            for (int part = 0; done < blocks; part++) {
                long left = blocks - done;
                long count =
                        isWhole(launch) ? left : Math.min(left, parts.size().applyAsLong(left));
                byte[] hidden = HiddenArguments.persistent(grid, state, done + count);
                stream.fill(state + HiddenArguments.TAKEN, (int) done, Integer.BYTES, 1);
                stream.fill(state + HiddenArguments.STOP, 0, Integer.BYTES, 1);
                stream.launch(with(launch, kernel, Dim.of(resident), hidden));
                if (parts.stops() && part < STOPPED && !isWhole(launch)) {
                    beside.fill(state + HiddenArguments.STOP, 1, Integer.BYTES, 1);
                }
                done = Math.min(done + count, taken(state));
                beside.synchronize();
            }
        } catch (DeviceException e) {
            // A fault of the kernel is told by the next call that waits, as it is of any launch.
            if (context.fault().isEmpty()) {
                throw e;
            }
        } finally {
            context.free(state);
        }
    }

    /** When all that was launched has ended. */
    private long taken(long state) {
        int[] taken = new int[1];
        stream.copyFromDevice(MemorySegment.ofArray(taken), state + HiddenArguments.TAKEN);
        stream.synchronize();
        return Integer.toUnsignedLong(taken[0]);
    }

    private static Launch with(Launch launch, PartedKernel kernel, Dim grid, byte[] hidden) {
        return new Launch(
                kernel.near(),
                grid,
                launch.block(),
                launch.dynamicShared(),
                launch.cooperative(),
                launch.cluster(),
                kernel.arguments(launch.arguments(), hidden));
    }
}
