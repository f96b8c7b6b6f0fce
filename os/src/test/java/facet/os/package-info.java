/** Tests against the running kernel. */
@NullMarked
package facet.os;

import org.jspecify.annotations.NullMarked;
