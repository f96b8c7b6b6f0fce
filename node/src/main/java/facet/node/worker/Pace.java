package facet.node.worker;

/**
 * How much a worker may say. Who says more is listened to more slowly: it waits itself then, since
 * what it has sent is not read. No clock inside; one thread.
 */
final class Pace {
    /** So much may come at once: what many sessions tell when they end together. */
    static final int BURST = 1000;

    private static final long NANOS_EACH = 1_000_000;

    private long paidUntil;
    private boolean begun;

    /** One more word has come; for so long nothing is read. */
    long enter(long now) {
        if (!begun || now - paidUntil > 0) {
            begun = true;
            paidUntil = now;
        }
        paidUntil += NANOS_EACH;
        return Math.max(0, paidUntil - now - BURST * NANOS_EACH);
    }
}
