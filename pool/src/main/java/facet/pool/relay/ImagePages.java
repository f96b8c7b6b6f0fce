package facet.pool.relay;

/**
 * The memory of this machine that a program has by its images, for those who compare it with what
 * it has allocated. All in bytes. Any thread.
 */
public interface ImagePages {
    /** What pages of its images take. */
    long resident();

    /** Allocated, and counted against its slice. */
    long counted();

    /** Allocated of this machine's memory. */
    long host();

    /** What allocations take when whole pages are counted. */
    long pages();

    /** Of pages that are about to be taken away. */
    long returning();

    /** Whether all that the program sent has been looked at. */
    boolean isDrained();

    /** It uses what it has not allocated: it is ended. */
    void expel(String why);
}
