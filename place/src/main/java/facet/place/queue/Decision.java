package facet.place.queue;

import facet.place.Gang;
import facet.place.Job;
import facet.place.Placement;

/** What is to be done now. Whoever asked does it, and says what became of it. */
public sealed interface Decision {
    /** It has its place in the ledger. All jobs of a gang begin in one answer. */
    record Start(Job job, Placement place) implements Decision {}

    /**
     * It has to be gone by then, and may be gone earlier; then {@link Dispatcher#left}.
     *
     * @param gang for whom
     */
    record Evict(int ticket, Job job, long deadline, String gang) implements Decision {}

    /** It was told to leave, and may stay after all. */
    record Spare(int ticket, Job job) implements Decision {}

    /**
     * It has another place in the ledger beside the one that it had. When it is there, {@link
     * Dispatcher#left} for the old ticket.
     *
     * @param cost what it costs to move it
     * @param gang for whom
     */
    record Move(int ticket, Job job, Placement to, long cost, String gang) implements Decision {}

    /** Its patience is over; it waits no more. */
    record GiveUp(Gang gang) implements Decision {}
}
