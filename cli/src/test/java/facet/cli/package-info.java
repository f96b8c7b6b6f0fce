/** Tests of the command line. */
@NullMarked
package facet.cli;

import org.jspecify.annotations.NullMarked;
