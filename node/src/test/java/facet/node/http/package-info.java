@NullMarked
package facet.node.http;

import org.jspecify.annotations.NullMarked;
