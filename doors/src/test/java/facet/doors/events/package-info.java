@NullMarked
package facet.doors.events;

import org.jspecify.annotations.NullMarked;
