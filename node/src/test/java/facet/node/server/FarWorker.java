package facet.node.server;

import facet.device.cpu.CpuDevices;
import facet.node.worker.Worker;
import facet.testkit.far.FarDevices;

/** Main of workers whose devices have memory that cannot be mapped. */
public final class FarWorker {
    private FarWorker() {}

    public static void main(String[] arguments) {
        Worker.run(arguments, new FarDevices(new CpuDevices()));
    }
}
