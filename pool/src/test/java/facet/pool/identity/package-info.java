@NullMarked
package facet.pool.identity;

import org.jspecify.annotations.NullMarked;
