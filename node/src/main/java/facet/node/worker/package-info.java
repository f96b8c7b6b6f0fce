/**
 * Sessions in a process of their own, one for each slice: for devices whose driver takes its whole
 * process along when something goes wrong. {@link facet.node.worker.Worker} is that process' main,
 * {@link facet.node.worker.WorkerProcess} the daemon's side of it. They talk in packets: a line
 * {@code verb key=value …}, with descriptors.
 *
 * <pre>
 *   daemon → worker   begin slice memory compute devices name deviceMemory  + ledger
 *                     open session program pid slot        + session memory, client's connection
 *                     close session why
 *                     change memory compute
 *                     usage
 *   worker → daemon   ready lacks                          pieces of its confinement that it was not given
 *                     changed
 *                     used [SESSION=used …]                  parts of an answer that is too long for one
 *                     usage [SESSION=used …]
 *                     ended session used
 *                     fault session text
 * </pre>
 */
@NullMarked
package facet.node.worker;

import org.jspecify.annotations.NullMarked;
