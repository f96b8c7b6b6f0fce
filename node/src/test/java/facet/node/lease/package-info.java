@org.jspecify.annotations.NullMarked
package facet.node.lease;
