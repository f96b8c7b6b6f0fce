/** Tests of the device itself: contexts, memory, streams, events, pausing. */
@NullMarked
package facet.device.cpu;

import org.jspecify.annotations.NullMarked;
