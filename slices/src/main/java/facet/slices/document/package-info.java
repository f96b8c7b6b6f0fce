/**
 * Slices that outlive the daemon: the form in which people write them, read with the place of every
 * mistake, and the folder where the daemon keeps them. {@link facet.slices.document.StateFolder} is
 * used by one thread at a time; the rest is functions.
 */
@NullMarked
package facet.slices.document;

import org.jspecify.annotations.NullMarked;
