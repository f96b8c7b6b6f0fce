/**
 * Sessions in a process of their own, one for each slice with isolation process. {@link
 * facet.node.worker.WorkerMain} is that process' main; the rest is the daemon's side:
 *
 * <pre>
 *   WorkerPool       StartedWorker: warm, without a slice ──┐ a slice's first session
 *   WorkerProcess    a slice's place                        ▼
 *   RunningWorker    RemoteSession, RemoteSession, …        last session ends ──┐
 *   IdleWorkers      for a while                                               ▼  then it ends
 * </pre>
 *
 * They talk in packets, {@link facet.node.worker.WorkerLink}: the messages of {@code
 * abi/tables/worker.table}, with descriptors. A worker executes strangers' code: what it says is
 * believed about its own slice and never more.
 */
@NullMarked
package facet.node.worker;

import org.jspecify.annotations.NullMarked;
