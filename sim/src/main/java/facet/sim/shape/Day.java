package facet.sim.shape;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A day of a device in samples: of every hour some seconds are simulated, at two moments of it.
 * What a client waits is noted by the hour.
 */
final class Day {
    static final int HOURS = 24;

    /** Moments of each hour at which is looked, and for how long. */
    static final int LOOKS = 2;

    static final long LOOK_NANOS = 10_000_000_000L;

    /** Who is on the device at an hour, and with how much work. */
    interface Crew {
        /** Clients by the number of whoever they are of; a negative number is not noted. */
        Map<Integer, Client> at(double hour, long seed);
    }

    private final Map<Integer, long[][]> latencies = new HashMap<>();
    private long busy;
    private long passed;

    void run(Crew crew, long seed) {
        for (int look = 0; look < HOURS * LOOKS; look++) {
            double hour = (double) look / LOOKS;
            SharedDevice device = new SharedDevice();
            Map<Integer, Client> clients = crew.at(hour, seed + 1_000_003L * look);
            clients.values().forEach(device::add);
            device.run(LOOK_NANOS);
            busy += device.busy();
            passed += LOOK_NANOS;
            int number = (int) hour;
            clients.forEach((who, client) -> note(who, number, client));
        }
    }

    private void note(int who, int hour, Client client) {
        if (who >= 0) {
            long[][] all = latencies.computeIfAbsent(who, each -> new long[HOURS][0]);
            long[] more = client.latencies(LOOK_NANOS);
            int before = all[hour].length;
            all[hour] = Arrays.copyOf(all[hour], before + more.length);
            System.arraycopy(more, 0, all[hour], before, more.length);
        }
    }

    /** Percent of the time in which work ran. */
    double utilisation() {
        return passed == 0 ? 0 : 100.0 * busy / passed;
    }

    /**
     * Milliseconds that 99 of 100 requests take at most, of whoever waits longest, in its worst
     * hour.
     */
    double worst() {
        double worst = 0;
        for (long[][] hours : latencies.values()) {
            for (long[] each : hours) {
                worst = Math.max(worst, percentile99(each));
            }
        }
        return worst;
    }

    static double percentile99(long[] nanos) {
        if (nanos.length == 0) {
            return 0;
        }
        long[] sorted = nanos.clone();
        Arrays.sort(sorted);
        return sorted[(int) ((sorted.length - 1) * 0.99)] / 1e6;
    }

    static double mean(List<Day> days) {
        return days.stream().mapToDouble(Day::utilisation).average().orElse(0);
    }

    static double worst(List<Day> days) {
        return days.stream().mapToDouble(Day::worst).max().orElse(0);
    }

    static List<Day> none() {
        return new ArrayList<>();
    }
}
