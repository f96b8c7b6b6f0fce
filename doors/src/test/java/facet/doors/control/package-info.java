@NullMarked
package facet.doors.control;

import org.jspecify.annotations.NullMarked;
