@NullMarked
package facet.pool.piece;

import org.jspecify.annotations.NullMarked;
