/**
 * The daemon: {@link facet.node.Facetd} reads its options, takes the runtime folder and wires the
 * rest. Its threads: main waits for the end; one accepts control connections, each of which has a
 * virtual thread; one accepts for each slice; each session has one that runs its commands.
 */
@NullMarked
package facet.node;

import org.jspecify.annotations.NullMarked;
