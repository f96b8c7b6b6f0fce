/**
 * Shares of the devices' time: {@link facet.sched} decides, the devices ask. The monitor of a
 * {@link facet.node.sharing.DeviceSharing} is a leaf and held for microseconds; threads of the
 * device, of sessions and of the control socket enter.
 */
@NullMarked
package facet.node.sharing;

import org.jspecify.annotations.NullMarked;
