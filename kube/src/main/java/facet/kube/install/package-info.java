/**
 * What Facet needs in a cluster, from one source: manifests beside these classes, printed, applied,
 * removed, or written as a Helm chart.
 */
@NullMarked
package facet.kube.install;

import org.jspecify.annotations.NullMarked;
