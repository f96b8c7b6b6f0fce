package facet.node.worker;

import facet.device.nvidia.NvidiaDevices;
import facet.device.nvidia.VendorSettings;
import java.util.List;

/** Main of a worker whose devices are behind their vendor's driver. */
public final class VendorWorkerMain {
    private VendorWorkerMain() {}

    public static void main(String[] arguments) {
        Worker.run(arguments, new NvidiaDevices(VendorSettings.ofThisProcess(), List.of()));
    }
}
