/**
 * The dashboard in a real browser: Debian's chromium, driven through its chromedriver. The system
 * tests, the pictures in docs and the benchmark use the same one. Nothing is downloaded.
 *
 * <p>A browser belongs to the thread that opened it.
 */
@NullMarked
package facet.bench.browser;

import org.jspecify.annotations.NullMarked;
