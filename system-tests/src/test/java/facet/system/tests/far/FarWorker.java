package facet.system.tests.far;

import facet.device.cpu.CpuDevices;
import facet.node.worker.Worker;
import facet.testkit.far.FarDevices;

/** Main of its workers. */
public final class FarWorker {
    private FarWorker() {}

    public static void main(String[] arguments) {
        Worker.run(arguments, new FarDevices(new CpuDevices()));
    }
}
