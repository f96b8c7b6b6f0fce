package facet.sim;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** How much was in use and how much was wanted, over time. Whoever runs a simulation tells it. */
public final class Course {
    /**
     * The mean over a while.
     *
     * @param time seconds, the middle of it
     * @param used percent of all devices
     * @param waiting the same of what waits
     */
    public record Point(double time, double used, double waiting) {}

    private final double capacity;
    private final long start;
    private final double width;
    private final double[] used;
    private final double[] waiting;

    /**
     * @param capacity thousandths of all devices
     * @param count points between the two times, in seconds; what is outside is not kept
     */
    Course(long capacity, long start, long end, int count) {
        this.capacity = Math.max(1, capacity);
        this.start = start;
        width = Math.max(1, (double) (end - start) / count);
        used = new double[count];
        waiting = new double[count];
    }

    /** Of the times in which tasks of a trace arrive. */
    static Course of(Trace trace, long capacity, int count) {
        long first = trace.tasks().stream().mapToLong(Task::arrives).min().orElse(0);
        long last = trace.tasks().stream().mapToLong(Task::arrives).max().orElse(0);
        return new Course(capacity, first, last, count);
    }

    /** From one time to another all was the same. */
    void pass(long from, long to, long usedThousandths, long waitingThousandths) {
        double begin = Math.max(0, (from - start) / width);
        double end = Math.min(used.length, (to - start) / width);
        for (int i = (int) begin; i < end; i++) {
            double part = Math.min(end, i + 1) - Math.max(begin, i);
            used[i] += part * usedThousandths;
            waiting[i] += part * waitingThousandths;
        }
    }

    List<Point> points() {
        List<Point> points = new ArrayList<>();
        for (int i = 0; i < used.length; i++) {
            points.add(
                    new Point(
                            start + (i + 0.5) * width,
                            100 * used[i] / capacity,
                            100 * waiting[i] / capacity));
        }
        return points;
    }

    /** What 0, 1, 2 ... 100 percent of all values do not exceed. */
    static List<Long> percentiles(long[] values) {
        long[] sorted = values.clone();
        Arrays.sort(sorted);
        List<Long> all = new ArrayList<>();
        for (int percent = 0; percent <= 100 && sorted.length > 0; percent++) {
            all.add(sorted[(int) ((long) (sorted.length - 1) * percent / 100)]);
        }
        return all;
    }
}
