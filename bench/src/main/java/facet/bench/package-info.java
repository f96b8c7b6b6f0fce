/**
 * The device benchmark, {@code ./facet bench device}. Each measurement is a class that fills a
 * {@link facet.bench.Table}; {@link facet.bench.Bench} runs those that are asked for and prints
 * them. bench/README.md says what is measured and how.
 *
 * <p>All of it runs on the main thread. What must not be warm, or must not see the profile that
 * another measurement left in the JVM, runs in a {@link facet.bench.ChildJvm}.
 */
@NullMarked
package facet.bench;

import org.jspecify.annotations.NullMarked;
