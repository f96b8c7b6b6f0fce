@NullMarked
package facet.node.session;

import org.jspecify.annotations.NullMarked;
