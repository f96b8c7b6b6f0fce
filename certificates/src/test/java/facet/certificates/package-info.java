@org.jspecify.annotations.NullMarked
package facet.certificates;
