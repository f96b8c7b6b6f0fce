package facet.pool.link;

/**
 * What a link has done.
 *
 * @param sent bytes of messages that were given to it
 * @param received bytes of messages that it has delivered
 * @param resumes how often a lane was cut and went on
 * @param sentAgain bytes that travelled once more because of that
 * @param roundTripNanos as heartbeats measure it, of late; 0: not yet
 */
public record LinkFigures(
        long sent, long received, long resumes, long sentAgain, long roundTripNanos) {}
