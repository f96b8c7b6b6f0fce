/**
 * Who has what in the cluster, for all ways of scheduling. The truth is in the cluster: every node
 * has a book ({@link facet.kube.ledger.Book}), an object that is written only if nobody wrote it
 * meanwhile. Whoever gives a pod a part of a device writes it there first, then binds ({@link
 * facet.kube.ledger.BookKeeper}). {@link facet.kube.ledger.ClusterState} is one process' copy of it
 * all, in the terms of {@code place}; one thread at a time uses it.
 */
@NullMarked
package facet.kube.ledger;

import org.jspecify.annotations.NullMarked;
