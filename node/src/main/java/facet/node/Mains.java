package facet.node;

import facet.device.DeviceFactory;

/**
 * A kind of devices, and the main classes that name it. Nobody else does: another kind of devices
 * is another pair of mains.
 *
 * @param daemon what the daemon's JVM was started with
 * @param worker what its workers are started with; it makes devices of the same kind
 */
public record Mains(DeviceFactory devices, Class<?> daemon, Class<?> worker) {}
