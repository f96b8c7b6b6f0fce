package facet.system.tests;

import java.util.List;

/**
 * How a process ended.
 *
 * @param status its exit code; 128 and more for a signal; -1 when its time was up
 */
record Outcome(List<String> command, int status, String output, String errors, double seconds) {
    static final int TIME_UP = -1;

    boolean ok() {
        return status == 0;
    }

    String report() {
        return String.join(" ", command)
                + "\n"
                + (status == TIME_UP
                        ? "did not end within %.0f s".formatted(seconds)
                        : "ended with %d after %.1f s".formatted(status, seconds))
                + "\n--- its output\n"
                + output
                + "--- its error output\n"
                + errors;
    }
}
