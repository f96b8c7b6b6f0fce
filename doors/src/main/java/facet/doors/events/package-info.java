/**
 * What happened: the last events in memory, each also a line of the log. Any thread; the monitor is
 * a leaf.
 */
@NullMarked
package facet.doors.events;

import org.jspecify.annotations.NullMarked;
