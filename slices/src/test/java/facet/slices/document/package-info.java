@NullMarked
package facet.slices.document;

import org.jspecify.annotations.NullMarked;
