/**
 * The agent of a node: tells the cluster which devices the node's daemon has, and the daemon what
 * the cluster has placed for the containers of its pods. It keeps nothing that cannot be asked for
 * again: {@link facet.kube.agent.Agent} compares what is with what should be, once a second and
 * whenever a pod changes, so that it does not matter who was started anew: kubelet, daemon, API
 * server or the agent itself.
 *
 * <p>One thread does all of it. The kubelet's questions come on threads of gRPC.
 */
@NullMarked
package facet.kube.agent;

import org.jspecify.annotations.NullMarked;
