/**
 * The software GPU: a {@link facet.device.Device} that runs PTX on the CPU.
 *
 * <p>Threads: workers (one per core) run stream steps and blocks; callers only enqueue. Locks, in
 * order: stream, then context, then arena. No lock is held while a kernel runs.
 */
@NullMarked
package facet.device.cpu;

import org.jspecify.annotations.NullMarked;
