package facet.system.tests.far;

import facet.device.cpu.CpuDevices;
import facet.node.Facetd;
import facet.node.Mains;
import facet.testkit.far.FarDevices;

/** Main of the daemon. */
public final class FarFacetd {
    private FarFacetd() {}

    public static void main(String[] arguments) {
        FarDevices devices = new FarDevices(new CpuDevices());
        System.exit(Facetd.run(arguments, new Mains(devices, FarFacetd.class, FarWorker.class)));
    }
}
