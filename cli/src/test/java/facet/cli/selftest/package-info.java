/** Tests of what {@code facet selftest} makes of what programs say. */
@NullMarked
package facet.cli.selftest;

import org.jspecify.annotations.NullMarked;
