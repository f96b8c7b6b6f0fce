package facet.ptx.rewrite;

/** What becomes of a body. */
enum Role {
    /** It is called, and given what it needs. */
    FUNCTION,

    /** A kernel that stays as it is, but for what it hands to functions. */
    WHOLE,
    RANGES,
    PERSISTENT;

    /** Whether special registers say in which block it is. */
    boolean knowsItsBlock() {
        return this == WHOLE;
    }
}
