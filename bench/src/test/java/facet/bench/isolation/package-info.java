@NullMarked
package facet.bench.isolation;

import org.jspecify.annotations.NullMarked;
