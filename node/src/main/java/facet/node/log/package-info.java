/** Lines for the operator. Any thread. */
@NullMarked
package facet.node.log;

import org.jspecify.annotations.NullMarked;
