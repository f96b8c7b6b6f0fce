/**
 * The daemon: {@link facet.node.Facetd} reads its options, takes the runtime folder and wires the
 * rest in {@link facet.node.Daemon}: devices ({@link facet.node.NodeDevices}), where programs are
 * executed ({@link facet.node.HostPlaces}), slices ({@link facet.node.NodeSlices}, {@link
 * facet.node.KeptSlices}). Its threads: main waits for the end; one accepts control connections,
 * each of which has a virtual thread; one accepts for each slice; each session has one that runs
 * its commands.
 */
@NullMarked
package facet.node;

import org.jspecify.annotations.NullMarked;
