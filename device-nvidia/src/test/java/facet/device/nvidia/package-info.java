@NullMarked
package facet.device.nvidia;

import org.jspecify.annotations.NullMarked;
