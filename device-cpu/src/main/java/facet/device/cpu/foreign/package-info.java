/** Downcalls to libc. Everything here can crash the process when misused; see each SAFETY note. */
@NullMarked
package facet.device.cpu.foreign;

import org.jspecify.annotations.NullMarked;
