@NullMarked
package facet.host.image;

import org.jspecify.annotations.NullMarked;
