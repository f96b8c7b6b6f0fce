package facet.device.cpu;

import facet.device.DeviceError;
import facet.device.DeviceException;
import facet.jit.CompiledKernel;
import facet.jit.runtime.Block;
import facet.jit.runtime.Grid;
import facet.jit.runtime.KernelFault;
import facet.jit.runtime.Shape;

/** From what a kernel threw to the context's error and one line for the log. */
final class Faults {
    private Faults() {}

    static void report(CpuContext context, CompiledKernel kernel, Grid grid, Throwable thrown) {
        switch (thrown) {
            case LaunchRun.BlockFault blockFault ->
                    report(context, kernel, grid, blockFault.block(), blockFault.fault());
            case KernelFault fault when fault.reason() == KernelFault.Cause.STOPPED ->
                    context.fail(
                            new DeviceException(
                                    DeviceError.LAUNCH_TIMEOUT, String.valueOf(fault.getMessage())),
                            line(context, kernel, DeviceError.LAUNCH_TIMEOUT, "", fault));
            default -> {
                // A defect of the device, not of the kernel: say so with all there is.
                java.io.StringWriter trace = new java.io.StringWriter();
                thrown.printStackTrace(new java.io.PrintWriter(trace));
                context.fail(
                        new DeviceException(
                                DeviceError.LAUNCH_FAILED,
                                "internal error in " + kernel.name() + ": " + thrown,
                                thrown),
                        "context "
                                + context.options().name()
                                + ": internal error in kernel "
                                + kernel.name()
                                + ": "
                                + trace);
            }
        }
    }

    private static void report(
            CpuContext context, CompiledKernel kernel, Grid grid, Block block, KernelFault fault) {
        DeviceError error =
                switch (fault.reason()) {
                    case ILLEGAL_ADDRESS -> DeviceError.ILLEGAL_ADDRESS;
                    case MISALIGNED_ADDRESS -> DeviceError.MISALIGNED_ADDRESS;
                    case ASSERT -> DeviceError.ASSERT;
                    case STOPPED -> DeviceError.LAUNCH_TIMEOUT;
                    case STACK_OVERFLOW -> DeviceError.HARDWARE_STACK_ERROR;
                    case TRAP, DEADLOCK -> DeviceError.LAUNCH_FAILED;
                };
        StringBuilder where = new StringBuilder();
        where.append(", block (").append(block.blockX).append(',').append(block.blockY).append(',');
        where.append(block.blockZ).append(')');
        if (fault.thread() >= 0) {
            Shape shape = grid.shape();
            int t = fault.thread();
            where.append(", thread (")
                    .append(shape.threadX[t])
                    .append(',')
                    .append(shape.threadY[t]);
            where.append(',').append(shape.threadZ[t]).append(')');
        }
        String text = line(context, kernel, error, where.toString(), fault);
        DeviceException exception =
                error == DeviceError.ASSERT
                        ? new DeviceException(error, text, String.valueOf(fault.getMessage()))
                        : new DeviceException(error, text);
        context.fail(exception, text);
    }

    private static String line(
            CpuContext context,
            CompiledKernel kernel,
            DeviceError error,
            String where,
            KernelFault fault) {
        String line = fault.line() > 0 ? ", PTX line " + fault.line() : "";
        return "context "
                + context.options().name()
                + ": kernel "
                + kernel.name()
                + where
                + line
                + ": "
                + error
                + " ("
                + error.code()
                + "): "
                + fault.getMessage();
    }
}
