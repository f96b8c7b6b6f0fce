/**
 * Programs as clients hand them over: PTX text, fat binaries, and sets of both to be linked. Turns
 * them into one PTX text. All input is hostile: what does not fit is an {@link
 * facet.host.image.ImageException}. No state, any thread.
 */
@NullMarked
package facet.host.image;

import org.jspecify.annotations.NullMarked;
