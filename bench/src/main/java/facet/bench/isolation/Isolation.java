package facet.bench.isolation;

import java.util.Locale;

/** What executes a slice's code. */
enum Isolation {
    /** The daemon, for all slices. */
    SHARED,
    /** A process for each slice. */
    PROCESS;

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Of the daemon. */
    String[] options() {
        return new String[] {"--http", "127.0.0.1:0", "--isolation", word()};
    }
}
