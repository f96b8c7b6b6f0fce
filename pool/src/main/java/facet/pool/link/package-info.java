/**
 * The link between two nodes of a pool. A {@link facet.pool.link.Link} has two lanes, each a TCP
 * connection of its own with TLS 1.3: commands, which are small and many, never wait behind bulk
 * data. A lane delivers messages once and in order, also over connections that break: what the
 * other side has not acknowledged is kept in a bounded log and sent again.
 *
 * <p>A lane has a reader, on which messages are received, and a writer. {@code Lane}'s lock is a
 * leaf; nobody holds it during a system call.
 */
@NullMarked
package facet.pool.link;

import org.jspecify.annotations.NullMarked;
