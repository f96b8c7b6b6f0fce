/**
 * The command line. One class per command; {@link facet.cli.Main} is the list of them.
 *
 * <p>A command prints its result to standard output and everything else to standard error. Exit
 * codes: 0 done, 1 failed, 2 wrong usage. All of it runs on the main thread.
 */
@NullMarked
package facet.cli;

import org.jspecify.annotations.NullMarked;
