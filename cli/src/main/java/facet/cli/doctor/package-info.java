/** What {@code facet doctor} looks at, each thing in a file of its own. */
@NullMarked
package facet.cli.doctor;

import org.jspecify.annotations.NullMarked;
