/**
 * Placing, tried on traces of clusters: the decisions are those of {@link facet.place}, time is a
 * number. What comes out depends on trace, policy and seed alone. One thread runs it; different
 * runs share nothing.
 */
@NullMarked
package facet.sim;

import org.jspecify.annotations.NullMarked;
