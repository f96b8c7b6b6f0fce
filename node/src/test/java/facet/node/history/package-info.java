@NullMarked
package facet.node.history;

import org.jspecify.annotations.NullMarked;
