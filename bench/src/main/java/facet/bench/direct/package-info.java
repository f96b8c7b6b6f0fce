/**
 * Programs with a driver of their own, lent the time of its device: what calls cost, and who gets
 * how much. The driver is bench/direct/clock_driver.c, whose device does nothing but take time, so
 * that the machine's cores are not what is shared.
 */
@NullMarked
package facet.bench.direct;

import org.jspecify.annotations.NullMarked;
