/**
 * A daemon over a long time: thousands of short programs come and go, and some are killed. What it
 * takes of the machine is looked at all the while. Programs run on threads of their own; one thread
 * looks.
 */
@NullMarked
package facet.bench.soak;

import org.jspecify.annotations.NullMarked;
