@NullMarked
package facet.pool.content;

import org.jspecify.annotations.NullMarked;
