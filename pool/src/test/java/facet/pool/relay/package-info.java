@NullMarked
package facet.pool.relay;

import org.jspecify.annotations.NullMarked;
