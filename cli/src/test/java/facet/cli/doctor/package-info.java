/** Tests of what {@code facet doctor} finds. */
@NullMarked
package facet.cli.doctor;

import org.jspecify.annotations.NullMarked;
