/** {@code facet kube …}: what runs in a cluster, and what people ask of it. */
@NullMarked
package facet.kube.cli;

import org.jspecify.annotations.NullMarked;
