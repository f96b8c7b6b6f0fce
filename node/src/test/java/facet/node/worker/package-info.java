@NullMarked
package facet.node.worker;

import org.jspecify.annotations.NullMarked;
