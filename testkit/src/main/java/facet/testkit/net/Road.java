package facet.testkit.net;

import java.time.Duration;

/**
 * What a network is like.
 *
 * @param delay of each direction
 * @param bytesPerSecond of each direction, for all connections together; 0: no limit
 * @param loss part of the packets that are lost. TCP sends them again, so whoever reads sees that
 *     what follows comes a round trip later
 */
public record Road(Duration delay, long bytesPerSecond, double loss) {
    /** As loopback is. */
    public static final Road PLAIN = new Road(Duration.ZERO, 0, 0);

    public static Road ofRoundTrip(Duration roundTrip) {
        return new Road(roundTrip.dividedBy(2), 0, 0);
    }

    public Road withRate(long bytes) {
        return new Road(delay, bytes, loss);
    }

    public Road withLoss(double part) {
        return new Road(delay, bytesPerSecond, part);
    }

    boolean isPlain() {
        return delay.isZero() && bytesPerSecond == 0 && loss == 0;
    }
}
