package facet.pool.link;

/** What travels separately. */
public enum LaneKind {
    /** Small messages that somebody waits for. */
    COMMANDS(4 << 20),

    /** Data of copies: at 10 ms of round trip the log is good for some 800 MB/s. */
    BULK(8 << 20);

    private final int logBytes;

    LaneKind(int logBytes) {
        this.logBytes = logBytes;
    }

    /** Most bytes under way: a sender waits when so many are not acknowledged. */
    int logBytes() {
        return logBytes;
    }
}
