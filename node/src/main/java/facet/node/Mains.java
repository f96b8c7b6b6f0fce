package facet.node;

import facet.device.DeviceFactory;
import facet.node.confine.WorkerFiles;
import java.util.List;

/**
 * A kind of devices, and the main classes that name it. Nobody else does: another kind of devices
 * is another pair of mains.
 *
 * @param daemon what the daemon's JVM was started with
 * @param worker what its workers are started with; it makes devices of the same kind
 * @param workerOptions for the JVM of workers
 * @param workerFiles what devices of this kind open in a worker
 */
public record Mains(
        DeviceFactory devices,
        Class<?> daemon,
        Class<?> worker,
        List<String> workerOptions,
        WorkerFiles workerFiles) {
    public Mains(DeviceFactory devices, Class<?> daemon, Class<?> worker) {
        this(devices, daemon, worker, List.of(), WorkerFiles.NONE);
    }
}
