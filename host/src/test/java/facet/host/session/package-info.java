@NullMarked
package facet.host.session;

import org.jspecify.annotations.NullMarked;
