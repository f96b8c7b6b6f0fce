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
 * They talk in packets: a line {@code verb key=value …}, with descriptors. A worker executes
 * strangers' code: what it says is believed about its own slice and never more.
 *
 * <pre>
 *   worker → daemon   warm lacks                           pieces of its confinement that it was not given
 *   daemon → worker   begin slice memory rooms eviction name deviceMemory seats multiprocessors
 *                                            + ledger, and where compute is shared pages of seats, bell
 *                     open session program pid slot        + session memory, client's connection
 *                     close session why
 *                     change memory
 *                     lend device number bytes lacking own room on a device from now on; answered by room
 *                     usage
 *   worker → daemon   ready
 *                     changed
 *                     used [SESSION=used …]                  parts of an answer that is too long for one
 *                     usage [SESSION=used …]
 *                     stopped session                        nothing of it runs any more
 *                     room device number holds wants spare parts
 *                     residency device resident out outs outBytes backs backBytes
 *                     ended session used
 *                     fault session text
 * </pre>
 */
@NullMarked
package facet.node.worker;

import org.jspecify.annotations.NullMarked;
