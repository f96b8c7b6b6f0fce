/**
 * gRPC over Unix sockets, as a kubelet and its plugins speak it. {@link
 * facet.kube.kubelet.PluginSocket} serves, {@link facet.kube.kubelet.KubeletSocket} asks. Calls
 * come on threads of gRPC.
 */
@NullMarked
package facet.kube.kubelet;

import org.jspecify.annotations.NullMarked;
