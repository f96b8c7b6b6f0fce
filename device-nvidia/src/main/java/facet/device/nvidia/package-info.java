/**
 * A GPU behind its vendor's driver: a {@link facet.device.Device} that calls libcuda.
 *
 * <p>The driver lives in the process that has the device, and a kernel's fault makes it useless
 * there. So a daemon has none: it finds devices in a process that ends at once ({@link
 * facet.device.nvidia.Discovery}), and workers open them.
 *
 * <p>Threads: callers enqueue; what is queued in a stream is given to the driver by one thread of a
 * pool at a time ({@link facet.device.nvidia.NvidiaStream}), in order. Locks, in order: stream,
 * textures, context, memory. But for short copies of tables and of memory none is held while the
 * device is waited for.
 */
@NullMarked
package facet.device.nvidia;

import org.jspecify.annotations.NullMarked;
