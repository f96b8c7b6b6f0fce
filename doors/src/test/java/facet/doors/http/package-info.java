@NullMarked
package facet.doors.http;

import org.jspecify.annotations.NullMarked;
