/** Kernels whose launches are executed in parts, against the same ones in one go. */
@NullMarked
package facet.device.cpu.parts;

import org.jspecify.annotations.NullMarked;
