/**
 * What pods write, and what it says in the terms of {@code place}. {@code names.table} has all
 * names; {@link facet.kube.names.Reader} reads a pod by it. Nothing here speaks to a cluster, and
 * what pods say is a stranger's: every number has its limits.
 */
@NullMarked
package facet.kube.names;

import org.jspecify.annotations.NullMarked;
