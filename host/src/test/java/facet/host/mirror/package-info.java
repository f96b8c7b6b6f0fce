@NullMarked
package facet.host.mirror;

import org.jspecify.annotations.NullMarked;
