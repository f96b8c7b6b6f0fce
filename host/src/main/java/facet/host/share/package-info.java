/**
 * What the sessions of a slice share with each other: pieces of device memory ({@link
 * facet.host.share.Segment}) and events, each under a name that nobody can guess ({@link
 * facet.host.share.Token}). One {@link facet.host.share.Shares} is where the sessions of a slice
 * are hosted; another slice has another one, so its names mean nothing there. Any thread. The
 * monitor of a Shares guards all of its segments; inside it only ledgers and the book of a device
 * are asked.
 */
@NullMarked
package facet.host.share;

import org.jspecify.annotations.NullMarked;
