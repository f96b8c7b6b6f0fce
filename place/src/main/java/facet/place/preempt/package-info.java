/**
 * Who has to leave so that a request fits: the cheapest set on one node, and nobody more. {@link
 * facet.place.preempt.Preemption} looks over the nodes, {@link facet.place.preempt.NodeSearch} at
 * one of them. What may be taken from whom is said by {@link facet.place.preempt.Victims}. Pure, as
 * all of placing; one thread at a time.
 */
@NullMarked
package facet.place.preempt;

import org.jspecify.annotations.NullMarked;
