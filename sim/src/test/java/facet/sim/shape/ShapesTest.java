package facet.sim.shape;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.sched.Entitlement;
import facet.sched.Terms;
import java.time.Instant;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class ShapesTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long MILLI = 1_000_000L;

    private static Entitlement rights(Terms terms) {
        return terms.at(Instant.EPOCH);
    }

    private static double seconds(Client client, long millis) {
        return client.latencies(10 * SECOND).length * millis / 1e3;
    }

    @Test
    void aWaveHasItsPeakAndItsCalm() {
        Wave wave = new Wave(0.2, 22, 8);
        assertEquals(1, wave.at(22), 1e-9);
        assertEquals(0.6, wave.at(0), 1e-9, "two hours later, past midnight");
        assertEquals(0.2, wave.at(12), 1e-9);
        assertEquals(0.2, wave.at(18), 1e-9);
    }

    /** Both always want to run: they get what they were promised, as on a real device. */
    @Test
    void shareTheDeviceAsPromised() {
        SharedDevice device = new SharedDevice();
        Client most = Client.closed(rights(Terms.burst(75)), 5 * MILLI, 1000, 1);
        Client least = Client.closed(rights(Terms.burst(25)), 5 * MILLI, 1000, 2);
        device.add(most);
        device.add(least);
        device.run(10 * SECOND);
        assertEquals(7.5, seconds(most, 5), 0.4);
        assertEquals(2.5, seconds(least, 5), 0.4);
        assertTrue(device.busy() > 9.8 * SECOND, "" + device.busy());
    }

    @Test
    void aHardPartIsNeverExceeded() {
        SharedDevice device = new SharedDevice();
        Client client = Client.closed(rights(Terms.fixed(30)), 5 * MILLI, 1000, 1);
        device.add(client);
        device.run(10 * SECOND);
        assertEquals(3, device.busy() / 1e9, 0.1);
    }

    /** Environments run in what is left, and nobody notices. */
    @Test
    void whoIsBehindGivesWay() {
        SharedDevice alone = new SharedDevice();
        Client quiet = Client.open(rights(Terms.burst(50)), 0.3, 4 * MILLI, 1);
        alone.add(quiet);
        alone.run(10 * SECOND);
        SharedDevice device = new SharedDevice();
        Client service = Client.open(rights(Terms.burst(50)), 0.3, 4 * MILLI, 1);
        Client environment = Client.closed(rights(Terms.priority(0)), 30 * MILLI, 1000, 2);
        device.add(service);
        device.add(environment);
        device.run(10 * SECOND);
        assertTrue(device.busy() > 9.5 * SECOND, "all of it is used: " + device.busy());
        double before = Day.percentile99(quiet.latencies(10 * SECOND));
        double after = Day.percentile99(service.latencies(10 * SECOND));
        assertTrue(after < before + 1, before + " ms alone, " + after + " ms beside");
    }

    @Test
    void theSameSeedGivesTheSameDay() {
        assertEquals(Development.run(7), Development.run(7));
        long[] once = run(3);
        assertTrue(Arrays.equals(once, run(3)));
        assertTrue(!Arrays.equals(once, run(4)));
    }

    private static long[] run(long seed) {
        SharedDevice device = new SharedDevice();
        Client client = Client.open(rights(Terms.burst(50)), 0.5, 4 * MILLI, seed);
        device.add(client);
        device.run(SECOND);
        return client.latencies(SECOND);
    }

    @Test
    void hundredServicesFitOnThirtyFiveDevices() {
        Inference day = Inference.run(42);
        assertTrue(day.shared() <= 35 && day.whole() >= 70, day::toString);
        assertTrue(day.worst() <= day.promise(), day::toString);
        assertTrue(day.shared() < day.fixed(), day::toString);
    }
}
