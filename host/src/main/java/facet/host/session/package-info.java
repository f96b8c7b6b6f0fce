/**
 * What executes the commands of one client. A session has one thread that reads its command ring
 * and runs the handlers ({@code *Commands}); it never waits for work of a device, nor for what work
 * needs. What comes later, a reply to a wait, a retired command, a fault, comes on threads of the
 * device.
 *
 * <p>Work that lacks something is held back at its place in its stream ({@link
 * facet.host.session.HeldWork}): for a kernel or a module that the session's {@link
 * facet.host.session.Errands} make, for memory that {@link facet.host.residency.Residency} brings,
 * for room in the slice. Whoever brings what was missing gives the work to the device, with the
 * gate of the context's holding, as the session's thread does. So what is given to the device of a
 * context comes from one thread at a time. Held work has a monitor of its own, a leaf.
 *
 * <p>Everything is for the session's thread unless it says otherwise. What a client sends is copied
 * once and checked; what no honest client sends is a {@link facet.host.session.ProtocolViolation}
 * and ends the session.
 */
@NullMarked
package facet.host.session;

import org.jspecify.annotations.NullMarked;
