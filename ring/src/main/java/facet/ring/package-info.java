/**
 * Session memory: the rings and reply slots by which a client and its session host talk.
 *
 * <p>A {@link facet.ring.RingReader} and a {@link facet.ring.RingWriter} belong to one thread each,
 * a platform thread, since waiting blocks it. Reply slots and context statuses are written by any
 * thread. There are no locks, except in {@link facet.ring.ClientSide}.
 *
 * <p>The other side may write anything anywhere at any time. So nothing is read twice, positions of
 * our own are never read back, and every access is inside the segment.
 */
@NullMarked
package facet.ring;

import org.jspecify.annotations.NullMarked;
