/**
 * The driver of the node's devices for dynamic resource allocation: publishes them as
 * ResourceSlices whose memory and compute can be consumed in parts, and prepares the claims that a
 * scheduler has given parts of them. A claim is a kept slice of the daemon, and a file of the
 * Container Device Interface by which the containers that have the claim join it: several that
 * share a claim share the slice. {@link facet.kube.dra.DraPlugin} is told what to do by the
 * kubelet, through its plugin registry.
 *
 * <p>The kubelet's questions come on threads of gRPC; {@link facet.kube.dra.DraPlugin#keep} runs on
 * the agent's.
 */
@NullMarked
package facet.kube.dra;

import org.jspecify.annotations.NullMarked;
