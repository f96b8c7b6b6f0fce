/**
 * The daemon's HTTP interface: what the control socket answers, as JSON, for programs that speak
 * HTTP. docs/api.md lists the paths. Who may ask for what is decided in {@link
 * facet.doors.http.Gate} alone, before anything else is looked at.
 *
 * <p>Each connection has a virtual thread of the web server; what it asks is done by {@link
 * facet.doors.control.Operations} on that thread.
 */
@NullMarked
package facet.doors.http;

import org.jspecify.annotations.NullMarked;
