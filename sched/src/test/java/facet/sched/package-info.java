@org.jspecify.annotations.NullMarked
package facet.sched;
