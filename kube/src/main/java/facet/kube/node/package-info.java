/**
 * What all parts of a node's agent know: where its neighbours are, how the daemon is asked, and
 * which devices it has.
 */
@NullMarked
package facet.kube.node;

import org.jspecify.annotations.NullMarked;
