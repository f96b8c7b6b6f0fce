package facet.node;

import facet.device.FoundDevice;
import facet.device.nvidia.Discovery;
import facet.device.nvidia.NvidiaDevices;
import facet.device.nvidia.VendorSettings;
import facet.node.worker.VendorWorkerMain;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** Which kind of devices a daemon has: those of the machine, or the software GPU. */
final class MainsByOptions {
    /** Drivers that come out of the machine's sleep take their time. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private MainsByOptions() {}

    /**
     * @throws IOException when a vendor's devices were asked for and there are none
     */
    static Mains choose(Options options) throws IOException {
        Gpus gpus = options.gpus();
        if (gpus.kind() == Gpus.Kind.SOFTWARE) {
            return Facetd.MAINS;
        }
        VendorSettings settings;
        try {
            settings =
                    new VendorSettings(
                            gpus.libraries(), VendorSettings.environment(gpus.environment()));
        } catch (IllegalArgumentException e) {
            throw new IOException("--vendor-environment is " + e.getMessage(), e);
        }
        Discovery discovery = new Discovery(settings, PATIENCE);
        boolean wanted = gpus.kind() == Gpus.Kind.VENDOR || gpus.libraries().isPresent();
        if (!wanted && !discovery.isWorthALook()) {
            return Facetd.MAINS;
        }
        List<FoundDevice> found;
        try {
            found = discovery.find();
        } catch (IOException e) {
            if (wanted) {
                throw e;
            }
            System.err.println(
                    "facetd: the machine's GPUs cannot be used, so there is the software GPU: "
                            + e.getMessage());
            return Facetd.MAINS;
        }
        if (found.isEmpty()) {
            if (wanted) {
                throw new IOException(
                        "the vendor's libraries find no GPU here; CUDA_VISIBLE_DEVICES may hide"
                                + " them, --gpu software does without");
            }
            return Facetd.MAINS;
        }
        return new Mains(
                new NvidiaDevices(settings, found),
                Facetd.class,
                VendorWorkerMain.class,
                settings.asOptions(),
                VendorFiles.of(settings));
    }
}
