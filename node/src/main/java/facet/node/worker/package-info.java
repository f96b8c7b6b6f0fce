/**
 * Sessions in a process of their own, one for each slice with isolation process. {@link
 * facet.node.worker.WorkerMain} is that process' main; the rest is the daemon's side:
 *
 * <pre>
 *   WorkerPool       StartedWorker: warm, without a slice ──┐ a slice's first session
 *   SliceWorker      the one that a slice has              ▼ Handover
 *   RunningWorker    RemoteSession, RemoteSession, …        last session ends ──┐
 *   IdleWorkers      for a while                                               ▼
 *   KeptWorkers      the slice goes: for the next one with the same code ── else it ends
 * </pre>
 *
 * They talk in packets, {@link facet.node.worker.WorkerLink}: the messages of {@code
 * abi/tables/worker.table}, with descriptors. A worker executes strangers' code: what it says is
 * believed about its own slice and never more. {@link facet.node.worker.Tenure} is the time that it
 * has with one.
 */
@NullMarked
package facet.node.worker;

import org.jspecify.annotations.NullMarked;
