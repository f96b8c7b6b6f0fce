package facet.host.residency;

/** Somebody who wants room. Its fields are the serving thread's, but for the book's own two. */
final class Request {
    final Claimant claimant;

    /** With the book's monitor. */
    boolean over;

    /** With the book's monitor. */
    boolean granted;

    /** Others have left for it, or were told to: those behind it do not take that room. */
    boolean collecting;

    boolean hopeless;
    long hopelessSince;

    Request(Claimant claimant) {
        this.claimant = claimant;
    }
}
