@NullMarked
package facet.bench;

import org.jspecify.annotations.NullMarked;
