/**
 * The software GPU: a {@link facet.device.Device} that runs PTX on the CPU.
 *
 * <p>Threads: workers run stream steps and blocks, one on each seat; those that are held inside a
 * kernel wait without a seat, a bounded number for each share ({@link Line}). Callers only enqueue.
 *
 * <p>Locks, in order: stream, then context, then arena. No lock is held while a kernel runs.
 */
@NullMarked
package facet.device.cpu;

import org.jspecify.annotations.NullMarked;
