package facet.ptx;

import java.util.ArrayList;
import java.util.List;

/** {@code x[] = {1, 2}}: the size that the initialisers give. */
final class Dimensions {
    private Dimensions() {}

    /** How many values fit; no bound where a dimension is left open. */
    static long elements(List<Long> dimensions, int lanes) {
        long count = lanes;
        for (long each : dimensions) {
            if (each == 0 || count > Integer.MAX_VALUE) {
                return Long.MAX_VALUE;
            }
            count *= each;
        }
        return count;
    }

    static List<Long> complete(List<Long> dimensions, List<Initializer> values, int lanes) {
        if (dimensions.isEmpty() || dimensions.getFirst() != 0 || values.isEmpty()) {
            return dimensions;
        }
        long each = 1;
        if (!(values.getFirst() instanceof Initializer.Nested)) {
            each = lanes;
            for (long dimension : dimensions.subList(1, dimensions.size())) {
                each *= dimension;
            }
        }
        List<Long> result = new ArrayList<>(dimensions);
        result.set(0, (values.size() + each - 1) / each);
        return List.copyOf(result);
    }
}
