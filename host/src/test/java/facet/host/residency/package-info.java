@NullMarked
package facet.host.residency;

import org.jspecify.annotations.NullMarked;
