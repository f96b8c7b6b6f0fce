/**
 * What a slice has taken of its memory: a page that clients count in ({@link
 * facet.host.ledger.LedgerMemory}), and what the host makes of it. Any thread.
 */
@NullMarked
package facet.host.ledger;

import org.jspecify.annotations.NullMarked;
