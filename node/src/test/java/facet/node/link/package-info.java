@NullMarked
package facet.node.link;

import org.jspecify.annotations.NullMarked;
