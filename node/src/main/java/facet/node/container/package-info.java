/**
 * Slices of containers. {@link facet.node.container.Wishes} reads what a container wants, from what
 * its platform and its image say; {@link facet.node.container.ContainerStarts} makes the slice, and
 * {@link facet.node.container.KnownContainers} ends it with the container, also across a restart of
 * the daemon.
 *
 * <p>Requests come on the threads of control connections. The ends of processes are noticed by one
 * thread ({@link facet.os.ProcessWatch}); each end has a thread of its own, since sessions may take
 * a moment to go.
 */
@NullMarked
package facet.node.container;

import org.jspecify.annotations.NullMarked;
