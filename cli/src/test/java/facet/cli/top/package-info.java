@NullMarked
package facet.cli.top;

import org.jspecify.annotations.NullMarked;
