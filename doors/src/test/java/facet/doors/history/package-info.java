@NullMarked
package facet.doors.history;

import org.jspecify.annotations.NullMarked;
