/** Lines for the operator. Any thread. */
@NullMarked
package facet.log;

import org.jspecify.annotations.NullMarked;
