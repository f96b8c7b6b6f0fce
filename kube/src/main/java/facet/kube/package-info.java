/**
 * Slices for pods.
 *
 * <p>Module {@code kube} brings Facet to a cluster: it reads what pods ask for, places them by the
 * rules of {@code place}, and tells the daemon of each node what its containers get. It speaks to
 * Kubernetes through its API and the sockets of its node agent, and to the daemon through its
 * doors.
 */
@NullMarked
package facet.kube;

import org.jspecify.annotations.NullMarked;
