@org.jspecify.annotations.NullMarked
package facet.kube.extender;
