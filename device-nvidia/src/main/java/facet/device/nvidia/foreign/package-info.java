/**
 * The vendor's libraries, call by call. Addresses and handles are numbers here; what a call needs
 * of memory it is given as a segment, which is alive until the call has returned.
 */
@NullMarked
package facet.device.nvidia.foreign;

import org.jspecify.annotations.NullMarked;
