package facet.pool.link;

import java.time.Duration;

/**
 * How patient a link is.
 *
 * @param heartbeat how often a side says that it is there
 * @param silence after it a connection counts as cut
 * @param resume how long after a cut the link can go on where it was
 * @param handshake what somebody has to show who it is
 */
public record LinkTimes(Duration heartbeat, Duration silence, Duration resume, Duration handshake) {
    /** A peer that is lost is noticed within 3 s. */
    public static final LinkTimes USUAL =
            new LinkTimes(
                    Duration.ofMillis(500),
                    Duration.ofMillis(2500),
                    Duration.ofSeconds(30),
                    Duration.ofSeconds(5));

    /** The same with less patience for a link that is cut. */
    public LinkTimes withResume(Duration other) {
        return new LinkTimes(heartbeat, silence, other, handshake);
    }
}
