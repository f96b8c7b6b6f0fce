/**
 * Figures for Prometheus. Nothing is here before somebody asks for the first time. A scrape is made
 * on the thread that asked, one after the other; docs/metrics.md tells of each.
 */
@NullMarked
package facet.doors.metrics;

import org.jspecify.annotations.NullMarked;
