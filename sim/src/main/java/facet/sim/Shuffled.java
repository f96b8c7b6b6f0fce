package facet.sim;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;

/** A list in random order. */
final class Shuffled {
    private Shuffled() {}

    static <T> List<T> of(List<T> all, SplittableRandom random) {
        List<T> shuffled = new ArrayList<>(all);
        for (int i = shuffled.size() - 1; i > 0; i--) {
            Collections.swap(shuffled, i, random.nextInt(i + 1));
        }
        return shuffled;
    }
}
