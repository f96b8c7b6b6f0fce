/**
 * How a device's time and memory are shared. Everything here is a function of what it is told, the
 * time included: no clock, no thread, no I/O. Whoever calls it sees to it that one thread does so
 * at a time.
 */
@NullMarked
package facet.sched;

import org.jspecify.annotations.NullMarked;
