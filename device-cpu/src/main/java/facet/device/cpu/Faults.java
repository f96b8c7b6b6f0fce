package facet.device.cpu;

import facet.device.DeviceError;
import facet.device.DeviceException;
import facet.jit.CompiledKernel;
import facet.jit.runtime.Block;
import facet.jit.runtime.KernelFault;
import facet.jit.runtime.Shape;
import java.util.List;

/** From what a kernel threw to the context's error and one line for the log. */
final class Faults {
    private Faults() {}

    static void report(CpuContext context, CompiledKernel kernel, Throwable thrown) {
        switch (thrown) {
            case LaunchRun.BlockFault _ when context.assertions().first().isPresent() ->
                    // Whatever came of it: what happened first is that an assert failed.
                    reportAssertions(context, kernel);
            case LaunchRun.BlockFault blockFault ->
                    report(context, kernel, blockFault.block(), blockFault.fault());
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
            CpuContext context, CompiledKernel kernel, Block block, KernelFault fault) {
        DeviceError error =
                switch (fault.reason()) {
                    case ILLEGAL_ADDRESS -> DeviceError.ILLEGAL_ADDRESS;
                    case MISALIGNED_ADDRESS -> DeviceError.MISALIGNED_ADDRESS;
                    case ASSERT -> DeviceError.ASSERT;
                    case STOPPED -> DeviceError.LAUNCH_TIMEOUT;
                    case STACK_OVERFLOW -> DeviceError.HARDWARE_STACK_ERROR;
                    case TRAP, DEADLOCK -> DeviceError.LAUNCH_FAILED;
                };
        String text = line(context, kernel, error, where(block, fault.thread()), fault);
        context.fail(new DeviceException(error, text), text);
    }

    /** Blocks of it, and of other launches, wait for others: more than there is room for. */
    static void reportTooManyWait(CpuContext context, CompiledKernel kernel) {
        String text =
                "context "
                        + context.options().name()
                        + ": too many blocks of "
                        + kernel.name()
                        + " and of other kernels wait for each other; launch fewer of them at once";
        context.fail(new DeviceException(DeviceError.LAUNCH_OUT_OF_RESOURCES, text), text);
    }

    /** A launch has ended in which asserts failed, or because of those of another one. */
    static void reportAssertions(CpuContext context, CompiledKernel kernel) {
        Assertions.First first = context.assertions().first().orElseThrow();
        List<String> lines = context.assertions().lines();
        String others = lines.size() > 1 ? "; so in " + (lines.size() - 1) + " more threads" : "";
        String text =
                line(context, kernel, DeviceError.ASSERT, first.where(), first.fault()) + others;
        context.fail(new DeviceException(DeviceError.ASSERT, text, lines), text);
    }

    /**
     * @param thread its number in the block; below 0 when it was no single one
     */
    static String where(Block block, int thread) {
        StringBuilder where = new StringBuilder();
        where.append(", block (").append(block.blockX).append(',').append(block.blockY).append(',');
        where.append(block.blockZ).append(')');
        if (thread >= 0) {
            Shape shape = block.grid.shape();
            where.append(", thread (").append(shape.threadX[thread]).append(',');
            where.append(shape.threadY[thread]).append(',').append(shape.threadZ[thread]);
            where.append(')');
        }
        return where.toString();
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
