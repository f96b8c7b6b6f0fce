package facet.pool.link;

/**
 * What a link has done, as this side has seen it.
 *
 * @param sent bytes of messages that were given to it
 * @param received bytes of messages that it has delivered
 * @param plainSent what would have been sent if nothing was left out, known or compressed; at least
 *     {@code sent} where whoever sends has said so
 * @param plainReceived the same for what was received
 * @param roundTrips how often a program has waited for the other side
 * @param resumes how often a lane was cut and went on
 * @param sentAgain bytes that travelled once more because of that
 * @param roundTripNanos as heartbeats measure it, of late; 0: not yet
 */
public record LinkFigures(
        long sent,
        long received,
        long plainSent,
        long plainReceived,
        long roundTrips,
        long resumes,
        long sentAgain,
        long roundTripNanos) {
    public static final LinkFigures NONE = new LinkFigures(0, 0, 0, 0, 0, 0, 0, 0);

    /** Of two links to the same node; the round trip is the other's, when it has one. */
    public LinkFigures plus(LinkFigures other) {
        return new LinkFigures(
                sent + other.sent,
                received + other.received,
                plainSent + other.plainSent,
                plainReceived + other.plainReceived,
                roundTrips + other.roundTrips,
                resumes + other.resumes,
                sentAgain + other.sentAgain,
                other.roundTripNanos != 0 ? other.roundTripNanos : roundTripNanos);
    }

    /** The part of the bytes that did not have to travel, both ways together; 0 to 1. */
    public double saved() {
        double plain = (double) plainSent + plainReceived;
        return plain <= 0 ? 0 : Math.max(0, 1 - ((double) sent + received) / plain);
    }
}
