package facet.bench;

import java.util.Set;

/** One section of the benchmark. */
public interface Measurement {
    /** As {@code --only} takes it. */
    String name();

    /** Says in a line what is measured, for {@code --help}. */
    String about();

    /** What of it {@code --only} may name too, to measure that alone. */
    default Set<String> parts() {
        return Set.of();
    }

    Table measure(Options options) throws Exception;
}
