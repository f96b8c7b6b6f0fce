package facet.bench;

import java.util.Arrays;
import java.util.Collection;

/** Numbers about numbers. */
public final class Statistics {
    private Statistics() {}

    public static double best(Collection<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).min().orElse(Double.NaN);
    }

    public static double mean(Collection<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).average().orElse(Double.NaN);
    }

    public static double median(Collection<Double> values) {
        return quantile(values, 0.5);
    }

    /** The smallest value that the given share of all values does not exceed. */
    public static double quantile(Collection<Double> values, double share) {
        double[] sorted = values.stream().mapToDouble(Double::doubleValue).toArray();
        Arrays.sort(sorted);
        if (sorted.length == 0) {
            return Double.NaN;
        }
        return sorted[Math.max(0, (int) Math.ceil(share * sorted.length) - 1)];
    }

    public static double geometricMean(Collection<Double> values) {
        return Math.exp(values.stream().mapToDouble(Math::log).average().orElse(Double.NaN));
    }
}
