/**
 * What a slice is: its name, memory, devices and terms, and how people write them. Values; any
 * thread.
 */
@NullMarked
package facet.slices;

import org.jspecify.annotations.NullMarked;
