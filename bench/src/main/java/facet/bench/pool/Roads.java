package facet.bench.pool;

import facet.testkit.net.Road;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** The networks that are tried, by name. */
final class Roads {
    private static final long GIGABIT = 125_000_000;

    private Roads() {}

    /** Nothing but time. */
    static Map<String, Road> ofTime() {
        Map<String, Road> all = new LinkedHashMap<>();
        for (double milliseconds : new double[] {0, 0.1, 1, 10}) {
            Duration roundTrip = Duration.ofNanos((long) (milliseconds * 1e6));
            String name =
                    milliseconds < 1 && milliseconds > 0 ? "0.1 ms" : (int) milliseconds + " ms";
            all.put(name, Road.ofRoundTrip(roundTrip));
        }
        return all;
    }

    static Road slow() {
        return Road.ofRoundTrip(Duration.ofMillis(40)).withRate(GIGABIT / 20).withLoss(0.01);
    }

    /** Those on which the rate counts. */
    static Map<String, Road> ofRate() {
        Map<String, Road> all = new LinkedHashMap<>();
        all.put("loopback", Road.PLAIN);
        all.put(
                "10 Gbit/s, 0.1 ms",
                Road.ofRoundTrip(Duration.ofNanos(100_000)).withRate(10 * GIGABIT));
        all.put("1 Gbit/s, 1 ms", Road.ofRoundTrip(Duration.ofMillis(1)).withRate(GIGABIT));
        all.put("1 Gbit/s, 10 ms", Road.ofRoundTrip(Duration.ofMillis(10)).withRate(GIGABIT));
        all.put("50 Mbit/s, 40 ms, 1 % loss", slow());
        return all;
    }
}
