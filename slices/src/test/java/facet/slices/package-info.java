@org.jspecify.annotations.NullMarked
package facet.slices;
