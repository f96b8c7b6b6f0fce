/**
 * facet-scheduler: watches the cluster, decides by {@code place}, writes books and binds. What the
 * watches tell enters {@link facet.kube.ledger.ClusterState} under its lock, from threads of the
 * client; one thread decides ({@link facet.kube.scheduler.Scheduler}); binds wait in virtual
 * threads ({@link facet.kube.scheduler.Binder}). Nobody holds the lock while it waits for the
 * cluster.
 */
@NullMarked
package facet.kube.scheduler;

import org.jspecify.annotations.NullMarked;
