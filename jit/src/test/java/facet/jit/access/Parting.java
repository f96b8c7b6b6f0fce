package facet.jit.access;

/** Which threads do the accesses of a kernel, and how those that do not are kept from them. */
enum Parting {
    /** All do them. */
    NONE,
    /** Each access has a guard, for threads whose bit is set in the launch's mask. */
    GUARD,
    /** Threads whose bit is not set branch around all of them. */
    BRANCH,
    /** The same inside a loop that threads leave at different times: those with a bit go twice. */
    LOOP,
    /** The first so many threads do them, which neighbours find out together. */
    EDGE;

    /** How often a thread does them. */
    int times(int mask, int thread) {
        boolean set = (mask >>> thread & 1) != 0;
        return switch (this) {
            case NONE -> 1;
            case GUARD, BRANCH -> set ? 1 : 0;
            case LOOP -> set ? 2 : 0;
            case EDGE -> thread < first(mask) ? 1 : 0;
        };
    }

    /** How many threads come before those that do nothing. */
    static int first(int mask) {
        return mask & 63;
    }
}
