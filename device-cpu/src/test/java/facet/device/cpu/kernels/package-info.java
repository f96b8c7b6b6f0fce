/**
 * CUDA kernels run on the software GPU and compared with plain Java. The sources are in {@code
 * src/test/cuda}; {@code compile} there makes the PTX in {@code src/test/resources/cuda}.
 */
@NullMarked
package facet.device.cpu.kernels;

import org.jspecify.annotations.NullMarked;
