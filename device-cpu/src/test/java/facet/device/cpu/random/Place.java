package facet.device.cpu.random;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/**
 * What is known where a statement stands.
 *
 * @param uniform whether all living threads of the block come here together
 * @param mask operand that names the threads of the warp which come here together, those that have
 *     exited perhaps included; null when that is not known, and no warp operation can stand here
 * @param loops around it
 * @param depth of nesting
 * @param escapes labels to which a thread may jump on its own
 */
record Place(boolean uniform, @Nullable String mask, int loops, int depth, List<String> escapes) {
    static final String ALL = "0xffffffff";

    static Place top() {
        return new Place(true, ALL, 0, 0, List.of());
    }

    Place deeper() {
        return new Place(uniform, mask, loops, depth + 1, escapes);
    }

    Place inLoop() {
        return new Place(uniform, mask, loops + 1, depth + 1, escapes);
    }

    /** Where only the threads of the mask are. */
    Place among(String threads) {
        return new Place(false, threads, loops, depth + 1, escapes);
    }

    /** Where each thread is for itself, and may go to the label when it likes. */
    Place alone(String escape) {
        List<String> labels = new ArrayList<>(mask == null ? escapes : List.of());
        labels.add(escape);
        return new Place(false, null, loops, depth + 1, labels);
    }
}
