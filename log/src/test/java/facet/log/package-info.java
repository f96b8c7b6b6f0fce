/** Tests of the log. */
@NullMarked
package facet.log;

import org.jspecify.annotations.NullMarked;
