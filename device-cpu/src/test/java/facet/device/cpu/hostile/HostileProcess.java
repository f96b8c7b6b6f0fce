package facet.device.cpu.hostile;

import facet.device.Context;
import facet.device.ContextOptions;
import facet.device.Device;
import facet.device.DeviceException;
import facet.device.Kernel;
import facet.device.KernelInfo;
import facet.device.Launch;
import facet.device.Launch.Dim;
import facet.device.LoadedModule;
import facet.device.Stream;
import facet.device.cpu.CpuDevice;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * A process that may die: loads each of the files that it is given in a context of its own,
 * launches the kernels, and prints one line with what came of it.
 */
final class HostileProcess {
    private static final long MEMORY = 64L << 20;
    private static final long BUFFER = 1 << 16;

    /** Kernels that do not end are stopped. */
    private static final long PATIENCE = 20_000;

    private static final ScheduledExecutorService CLOCK =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().daemon().name("hostile-end").factory());

    private HostileProcess() {}

    public static void main(String[] paths) throws IOException {
        try (Device device = CpuDevice.create()) {
            for (String path : paths) {
                String text = Files.readString(Path.of(path));
                System.out.println(path + "\t" + outcome(device, text, PATIENCE));
            }
        }
    }

    /**
     * {@code ended}, or the error with the line that it names.
     *
     * @param milliseconds after which it is stopped
     */
    static String outcome(Device device, String ptx, long milliseconds) {
        Context context =
                device.createContext(
                        ContextOptions.of("hostile", MEMORY)
                                .withFaults(line -> {})
                                .withOutput(text -> {}));
        ScheduledFuture<?> end = CLOCK.schedule(context::stop, milliseconds, TimeUnit.MILLISECONDS);
        try (context) {
            LoadedModule module = context.load(ptx);
            for (KernelInfo each : module.kernels()) {
                launch(context, module.kernel(each.name()));
            }
            return "ended";
        } catch (DeviceException e) {
            String message = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
            return e.error().name() + " " + message.replaceFirst("^[A-Z_]+ \\(\\d+\\): ", "");
        } catch (RuntimeException e) {
            return "DEFECT " + e;
        } finally {
            end.cancel(false);
        }
    }

    /** All that a kernel is given is the address of its memory, as often as it has room for it. */
    private static void launch(Context context, Kernel kernel) {
        long buffer = context.allocate(BUFFER);
        ByteBuffer arguments =
                ByteBuffer.allocate(kernel.parameterBytes()).order(ByteOrder.LITTLE_ENDIAN);
        while (arguments.remaining() >= Long.BYTES) {
            arguments.putLong(buffer);
        }
        Stream stream = context.createStream();
        stream.launch(
                new Launch(kernel, Dim.of(2), Dim.of(32), 1024, false, null, arguments.array()));
        stream.synchronize();
        stream.copyFromDevice(MemorySegment.ofArray(new byte[(int) BUFFER]), buffer);
        stream.synchronize();
    }
}
