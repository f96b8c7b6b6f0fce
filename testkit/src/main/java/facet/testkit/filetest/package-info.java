/**
 * Runs PTX files that carry their own launches and expectations, on any {@link
 * facet.device.Device}. The format is described in {@code filetests/README.md}.
 *
 * <p>One thread runs a file from its parse to its comparison; every file has a context of its own.
 */
@NullMarked
package facet.testkit.filetest;

import org.jspecify.annotations.NullMarked;
