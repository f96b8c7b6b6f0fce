/** Whether a confined worker can reach anything. */
@NullMarked
package facet.node.confine;

import org.jspecify.annotations.NullMarked;
