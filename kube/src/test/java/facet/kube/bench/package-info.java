/** What `./facet bench kube` measures, on the control plane of the tests. */
@org.jspecify.annotations.NullMarked
package facet.kube.bench;
