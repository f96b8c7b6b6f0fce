@NullMarked
package facet.node.control;

import org.jspecify.annotations.NullMarked;
