package facet.bench;

/** One section of the benchmark. */
public interface Measurement {
    /** As {@code --only} takes it. */
    String name();

    /** Says in a line what is measured, for {@code --help}. */
    String about();

    Table measure(Options options) throws Exception;
}
