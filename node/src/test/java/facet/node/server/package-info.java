@NullMarked
package facet.node.server;

import org.jspecify.annotations.NullMarked;
