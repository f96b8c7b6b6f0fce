/**
 * Random kernels, run on the software GPU and by an interpreter that shares no code with it: both
 * must leave the same memory behind.
 */
@NullMarked
package facet.device.cpu.random;

import org.jspecify.annotations.NullMarked;
