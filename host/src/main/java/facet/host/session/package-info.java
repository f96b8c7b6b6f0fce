/**
 * What executes the commands of one client. A session has one thread that reads its command ring
 * and runs the handlers ({@code *Commands}); it never waits for work of a device. What comes later,
 * a reply to a wait, a retired command, a fault, comes on threads of the device.
 *
 * <p>Everything is for the session's thread unless it says otherwise. What a client sends is copied
 * once and checked; what no honest client sends is a {@link facet.host.session.ProtocolViolation}
 * and ends the session.
 */
@NullMarked
package facet.host.session;

import org.jspecify.annotations.NullMarked;
