/**
 * Who comes next. {@link facet.place.queue.Dispatcher} has the jobs that wait and those that run,
 * and decides who begins, who leaves and who moves. {@link facet.place.queue.Quotas} says what a
 * queue may have, {@link facet.place.queue.Gangs} where a gang fits, {@link
 * facet.place.queue.Forecast} when it will, {@link facet.place.queue.Reservation} keeps that room.
 * Pure: what time it is comes in as a number, in whatever unit. One thread at a time.
 */
@NullMarked
package facet.place.queue;

import org.jspecify.annotations.NullMarked;
