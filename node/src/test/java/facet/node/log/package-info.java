/** Tests of the log. */
@NullMarked
package facet.node.log;

import org.jspecify.annotations.NullMarked;
