/**
 * Whether slices get what they were promised, {@code ./facet bench isolation}. Each measurement has
 * a daemon and C programs of its own ({@code bench/isolation}); bench/README.md says what is
 * measured and how.
 *
 * <p>All of it runs on the main thread, but for one virtual thread for each program, which reads
 * what that prints. Times are those of {@link System#nanoTime}, which on Linux is the clock that
 * the programs use too.
 */
@NullMarked
package facet.bench.isolation;

import org.jspecify.annotations.NullMarked;
