@org.jspecify.annotations.NullMarked
package facet.host.share;
