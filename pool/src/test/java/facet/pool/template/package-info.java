@NullMarked
package facet.pool.template;

import org.jspecify.annotations.NullMarked;
