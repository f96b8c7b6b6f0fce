/**
 * A real control plane for tests: etcd, kube-apiserver, and on demand kube-scheduler,
 * kube-controller-manager and kwok, on ports of the loopback address, with all files in a temporary
 * folder. {@link facet.kube.cluster.ControlPlane} starts it, kills members of it and starts them
 * again, and leaves nothing, also when the JVM is killed.
 *
 * <p>{@code testkit/kubernetes --install} builds the programs; tests are skipped without them.
 */
@NullMarked
package facet.kube.cluster;

import org.jspecify.annotations.NullMarked;
