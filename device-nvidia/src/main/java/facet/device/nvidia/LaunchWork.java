package facet.device.nvidia;

import facet.device.DeviceError;
import facet.device.DeviceException;
import facet.device.Launch;
import facet.device.nvidia.foreign.DriverCode;
import facet.ptx.rewrite.BlockBox;
import facet.ptx.rewrite.GridSize;
import facet.ptx.rewrite.HiddenArguments;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** Launches of a stream: what cannot be is refused at once, what is long comes in parts. */
final class LaunchWork {
    private static final int MOST_ARGUMENTS = 33 << 10;
    private static final int DYNAMIC_SHARED = 8;
    private static final int MOST_THREADS_Z = 64;
    private static final int MOST_BLOCKS_YZ = 65_535;

    private final NvidiaDevice device;
    private final DriverCode.ArgumentBuffer buffer;

    /** Of what the device was asked last how many blocks it has at once; of the giver. */
    private @Nullable Shape lastShape;

    private long lastTogether;

    private record Shape(long function, int threads, int shared) {}

    LaunchWork(NvidiaDevice device) {
        this.device = device;
        buffer = new DriverCode.ArgumentBuffer(MOST_ARGUMENTS);
    }

    /** Its kernel. Throws what the driver would answer, which is asked later. */
    NvidiaKernel check(Launch launch) {
        if (!(launch.kernel() instanceof NvidiaKernel kernel)) {
            throw new DeviceException(DeviceError.INVALID_VALUE, "a kernel of another device");
        }
        Launch.Dim grid = launch.grid();
        Launch.Dim block = launch.block();
        boolean sized =
                grid.x() > 0
                        && grid.y() > 0
                        && grid.z() > 0
                        && grid.y() <= MOST_BLOCKS_YZ
                        && grid.z() <= MOST_BLOCKS_YZ
                        && block.x() > 0
                        && block.y() > 0
                        && block.z() > 0
                        && block.z() <= MOST_THREADS_Z
                        && block.count() <= device.attribute(Attribute.MAX_THREADS_PER_BLOCK);
        if (!sized || launch.dynamicShared() < 0) {
            throw new DeviceException(
                    DeviceError.INVALID_VALUE,
                    kernel.name() + " in blocks of " + block + " and a grid of " + grid);
        }
        if (launch.arguments().length < kernel.parameterBytes()) {
            throw new DeviceException(
                    DeviceError.INVALID_VALUE,
                    kernel.name() + " takes " + kernel.parameterBytes() + " bytes of arguments");
        }
        int most = device.attribute(Attribute.SHARED_PER_BLOCK_OPTIN);
        if (block.count() > kernel.info().maxThreads()
                || launch.dynamicShared() > most - kernel.staticShared()) {
            throw new DeviceException(
                    block.count() > kernel.info().maxThreads()
                            ? DeviceError.LAUNCH_OUT_OF_RESOURCES
                            : DeviceError.INVALID_VALUE,
                    kernel.name() + " needs more than a block can have");
        }
        return kernel;
    }

    /** The launch, to be given to the driver part by part. */
    Parts parts(Launch launch, NvidiaKernel kernel) {
        return new Parts(launch, kernel);
    }

    /** What is left of a launch. */
    final class Parts {
        private final Launch launch;
        private final NvidiaKernel kernel;
        private final GridSize grid;
        private final boolean whole;
        private final long blocks;
        private final Deque<BlockBox> boxes = new ArrayDeque<>();
        private long done;

        private Parts(Launch launch, NvidiaKernel kernel) {
            this.launch = launch;
            this.kernel = kernel;
            grid = new GridSize(launch.grid().x(), launch.grid().y(), launch.grid().z());
            blocks = grid.blocks();
            whole =
                    kernel.form() == null
                            || launch.cooperative()
                            || launch.cluster() != null
                            || !device.turns().areShared();
        }

        private long together() {
            Shape shape =
                    new Shape(
                            kernel.function(),
                            Math.toIntExact(launch.block().count()),
                            launch.dynamicShared());
            if (!shape.equals(lastShape)) {
                lastShape = shape;
                int each = device.code().together(shape.function, shape.threads, shape.shared);
                // Where the driver does not say it is one at least.
                lastTogether = (long) Math.max(1, each) * device.profile().multiprocessors();
            }
            return lastTogether;
        }

        boolean isLeft() {
            return done < blocks;
        }

        /** Gives the next one to the driver; how many blocks it has. */
        long next(long stream) {
            if (launch.dynamicShared()
                    > device.attribute(Attribute.SHARED_PER_BLOCK) - kernel.staticShared()) {
                device.code().attribute(kernel.function(), DYNAMIC_SHARED, launch.dynamicShared());
            }
            if (boxes.isEmpty()) {
                long left = blocks - done;
                long count = whole ? left : kernel.pace().next(left, together());
                boxes.addAll(BlockBox.of(grid, done, count));
            }
            BlockBox box = boxes.remove();
            Launch.Dim size = new Launch.Dim(box.size().x(), box.size().y(), box.size().z());
            byte[] arguments =
                    kernel.form() == null
                            ? launch.arguments()
                            : kernel.arguments(
                                    launch.arguments(), HiddenArguments.ranges(grid, box));
            device.code().launch(kernel.function(), size, launch, arguments, buffer, stream);
            done += size.count();
            return size.count();
        }
    }
}
