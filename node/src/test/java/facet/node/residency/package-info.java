@NullMarked
package facet.node.residency;

import org.jspecify.annotations.NullMarked;
