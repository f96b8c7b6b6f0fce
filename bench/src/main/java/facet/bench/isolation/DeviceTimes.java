package facet.bench.isolation;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Device time of some slices, looked at in steps. */
final class DeviceTimes {
    private static final long STEP_NANOS = 100_000_000;
    private static final long WINDOW_NANOS = 1_000_000_000;

    /** A second in which cores were away for longer, together, says nothing. */
    private static final long AWAY_NANOS = 20_000_000;

    private final List<long[]> samples = new ArrayList<>();
    private final List<Long> times = new ArrayList<>();
    private long slowestAnswer;

    /** Looks from one moment to another; returns when it is over. */
    static DeviceTimes watch(Control control, List<String> slices, long from, long to)
            throws IOException, InterruptedException {
        DeviceTimes times = new DeviceTimes();
        for (long next = from; next <= to; next += STEP_NANOS) {
            Pause.until(next);
            times.look(control, slices);
        }
        return times;
    }

    void look(Control control, List<String> slices) throws IOException {
        long asked = System.nanoTime();
        long[] nanos = control.deviceNanos(slices);
        long answered = System.nanoTime();
        slowestAnswer = Math.max(slowestAnswer, answered - asked);
        // The daemon looked just before it answered.
        add(nanos, answered);
    }

    void add(long[] nanos, long time) {
        samples.add(nanos);
        times.add(time);
    }

    long first() {
        return times.getFirst();
    }

    long last() {
        return times.getLast();
    }

    /** How long the daemon took to answer, at most. */
    long slowestAnswer() {
        return slowestAnswer;
    }

    /** Percent that each slice had of what all had together. */
    double[] shares() {
        return shares(0, samples.size() - 1);
    }

    private double[] shares(int from, int to) {
        long[] before = samples.get(from);
        long[] after = samples.get(to);
        double[] shares = new double[before.length];
        double all = 0;
        for (int i = 0; i < shares.length; i++) {
            shares[i] = after[i] - before[i];
            all += shares[i];
        }
        for (int i = 0; i < shares.length; i++) {
            shares[i] = 100 * shares[i] / all;
        }
        return shares;
    }

    /** Of all slices together, in nanoseconds. */
    long sum() {
        long sum = 0;
        for (int i = 0; i < samples.getFirst().length; i++) {
            sum += samples.getLast()[i] - samples.getFirst()[i];
        }
        return sum;
    }

    /**
     * Mean distance from what was promised, in points, over all the seconds in which the machine
     * was there; over all the time when there is none.
     */
    double meanError(int[] promised, Gaps gaps) {
        double[] nanos = new double[promised.length];
        for (int from = 0, to = 0; to < samples.size(); from = to) {
            to = after(from);
            if (to < samples.size() && isWhole(from, to, gaps)) {
                for (int i = 0; i < nanos.length; i++) {
                    nanos[i] += samples.get(to)[i] - samples.get(from)[i];
                }
            }
        }
        double all = Arrays.stream(nanos).sum();
        double[] shares =
                all == 0 ? shares() : Arrays.stream(nanos).map(each -> 100 * each / all).toArray();
        double sum = 0;
        for (int i = 0; i < shares.length; i++) {
            sum += Math.abs(shares[i] - promised[i]);
        }
        return sum / shares.length;
    }

    /** The first look a second later or more; the number of looks when there is none. */
    private int after(int look) {
        int next = look;
        while (next < samples.size() && times.get(next) - times.get(look) < WINDOW_NANOS) {
            next++;
        }
        return next;
    }

    private boolean isWhole(int from, int to, Gaps gaps) {
        return gaps.nanos(times.get(from), times.get(to)) <= AWAY_NANOS;
    }

    /** The largest distance of any slice in any second in which the machine was there. */
    double worstError(int[] promised, Gaps gaps) {
        double worst = 0;
        for (int start = 0; after(start) < samples.size(); start++) {
            int end = after(start);
            if (!isWhole(start, end, gaps)) {
                continue;
            }
            double[] shares = shares(start, end);
            for (int i = 0; i < shares.length; i++) {
                double error = Math.abs(shares[i] - promised[i]);
                // A second in which nobody had anything is as wrong as can be.
                worst = Math.max(worst, Double.isNaN(error) ? 100 : error);
            }
        }
        return worst;
    }
}
