@NullMarked
package facet.node.events;

import org.jspecify.annotations.NullMarked;
