@NullMarked
package facet.pool.link;

import org.jspecify.annotations.NullMarked;
