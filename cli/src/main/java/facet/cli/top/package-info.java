/**
 * The live view of {@code facet top}. {@link facet.cli.top.Sample} is what the daemon said at one
 * time, {@link facet.cli.top.View} what happened between two of them, {@link facet.cli.top.Painter}
 * what that looks like: all pure. {@link facet.cli.top.LiveScreen} alone has a terminal; one thread
 * runs it.
 */
@NullMarked
package facet.cli.top;

import org.jspecify.annotations.NullMarked;
