package facet.device.cpu;

import facet.device.DeviceException;
import facet.device.Launch;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/**
 * A launch that a kernel has made and that waits in a stream of it. Its arguments stay in the
 * buffer that the kernel filled, which is of the slice's memory, until it begins.
 *
 * @param tail whether it follows the parent instead of running below it
 */
record ChildLaunch(
        NestedRun parent,
        CpuKernel kernel,
        Launch.Dim grid,
        Launch.Dim block,
        int dynamicShared,
        long buffer,
        boolean tail)
        implements CpuStream.Step {

    @Override
    public void begin(Runnable done) {
        QueuedLaunch launch = prepare();
        parent.release(buffer);
        if (launch == null) {
            done.run();
        } else {
            launch.begin(done);
        }
    }

    /** Null when it cannot run: the context has a fault then. */
    private @Nullable QueuedLaunch prepare() {
        CpuContext context = kernel.context();
        if (context.fault().isPresent()) {
            return null;
        }
        try {
            byte[] arguments =
                    context.memory()
                            .at(buffer, kernel.parameterBytes())
                            .toArray(ValueLayout.JAVA_BYTE);
            Launch launch = new Launch(kernel, grid, block, dynamicShared, false, null, arguments);
            return Launches.prepareChild(context, launch, parent, tail);
        } catch (DeviceException e) {
            context.fail(
                    e,
                    "context "
                            + context.options().name()
                            + ": launch of "
                            + kernel.name()
                            + " by a kernel: "
                            + e.getMessage());
            return null;
        }
    }
}
