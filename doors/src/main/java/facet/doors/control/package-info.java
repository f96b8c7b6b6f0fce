/**
 * The control socket: a line {@code verb key=value …} is asked, a line of JSON answered. Values are
 * percent-encoded. Each connection has a virtual thread; what it asks is done by {@link
 * facet.doors.control.Operations} on that thread.
 */
@NullMarked
package facet.doors.control;

import org.jspecify.annotations.NullMarked;
