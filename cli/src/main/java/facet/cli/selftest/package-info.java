/**
 * What Facet promises, tried on the devices of the daemon that runs: {@code facet selftest}. A file
 * for each promise; programs in slices of their own do the work. All of it runs on the command's
 * thread, one check after the other.
 */
@NullMarked
package facet.cli.selftest;

import org.jspecify.annotations.NullMarked;
