package facet.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Times of one contender in milliseconds: of each turn the best launch and the median. */
record Times(List<Double> bests, List<Double> medians) {
    Times() {
        this(new ArrayList<>(), new ArrayList<>());
    }

    void add(double best, double median) {
        bests.add(best);
        medians.add(median);
    }

    boolean isEmpty() {
        return bests.isEmpty();
    }

    double best() {
        return Statistics.best(bests);
    }

    double median() {
        return Statistics.median(medians);
    }

    /** Leaves the cells of a contender that did not run empty. */
    void put(Map<String, Object> row, String key) {
        if (!isEmpty()) {
            row.put(key + "_ms", best());
            row.put(key + "_median_ms", median());
        }
    }
}
