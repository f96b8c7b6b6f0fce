package facet.cli;

import facet.device.Device;
import facet.device.DeviceProfile;
import facet.device.cpu.CpuDevice;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The software GPU that the demo runs on. */
final class Gpu {
    private static final long MEMORY = 256L << 20;

    private Gpu() {}

    static Device open(int workers) {
        return CpuDevice.create(
                DeviceProfile.standard("Facet Software GPU", MEMORY, workers), workers);
    }

    /** The PTX of {@code src/main/cuda/demo.cu}. */
    static String ptx() {
        try (InputStream in = Gpu.class.getResourceAsStream("demo.ptx")) {
            if (in == null) {
                throw new IllegalStateException("demo.ptx is not on the class path");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
