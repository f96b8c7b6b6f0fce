/**
 * What happens to a pod before it is in the cluster: what its names imply is filled in, and what
 * can never run is refused with a sentence.
 */
@NullMarked
package facet.kube.webhook;

import org.jspecify.annotations.NullMarked;
