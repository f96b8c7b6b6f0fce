/**
 * Data that was sent once is named the second time. The node that sends has a {@link
 * facet.pool.content.ContentScope} for each slice: a secret, and which pieces the other node has of
 * it. The node that receives has one {@link facet.pool.content.ContentStore}, with a shelf for each
 * scope. docs/pool.md says why pieces are matched within a slice alone.
 *
 * <p>Any thread. The locks of scope and store are leaves but for what {@link
 * facet.pool.content.ContentStore.Shelf#read} calls.
 */
@NullMarked
package facet.pool.content;

import org.jspecify.annotations.NullMarked;
