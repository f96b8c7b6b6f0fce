package facet.node.worker;

import facet.device.cpu.CpuDevices;

/** Main of a worker. */
public final class WorkerMain {
    private WorkerMain() {}

    public static void main(String[] arguments) {
        Worker.run(arguments, CpuDevices.withCommonCode());
    }
}
