package facet.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The arguments.
 *
 * @param only measurements and kernels to run; empty for all
 * @param rounds how often facet, PoCL and gcc take turns
 * @param runs timed launches of a kernel in a turn
 * @param minutes how long the page of the dashboard is open
 * @param history minutes of history that there are before
 * @param isolation which process executes slices' programs; empty: as the daemon has it by itself
 * @param traces the folder with traces of clusters
 * @param quick short durations, to try whether all is there
 */
public record Options(
        Set<String> only,
        int rounds,
        int runs,
        int minutes,
        int history,
        String isolation,
        Path traces,
        boolean quick,
        boolean json,
        boolean help) {
    private static final int ROUNDS = 4;
    private static final int RUNS = 10;
    private static final int MINUTES = 10;
    private static final int HISTORY_MINUTES = 60;
    private static final Path TRACES = Path.of("../shared/data");

    /** A mistake in the arguments; the message says which. */
    static final class UsageException extends Exception {
        private static final long serialVersionUID = 1L;

        UsageException(String message) {
            super(message);
        }
    }

    /**
     * @param known what {@code --only} may name
     */
    static Options parse(String[] arguments, Set<String> known) throws UsageException {
        Set<String> only = new LinkedHashSet<>();
        int rounds = ROUNDS;
        int runs = RUNS;
        int minutes = MINUTES;
        int history = HISTORY_MINUTES;
        String isolation = "";
        Path traces = TRACES;
        boolean quick = false;
        boolean json = false;
        boolean help = false;
        List<String> rest = new ArrayList<>(List.of(arguments));
        while (!rest.isEmpty()) {
            String option = rest.removeFirst();
            switch (option) {
                case "--help", "-h" -> help = true;
                case "--only" -> only.addAll(names(value(option, rest), known));
                case "--rounds" -> rounds = positive(option, value(option, rest));
                case "--runs" -> runs = positive(option, value(option, rest));
                case "--minutes" -> minutes = positive(option, value(option, rest));
                case "--history" -> history = positive(option, value(option, rest));
                case "--isolation" -> isolation = isolation(value(option, rest));
                case "--traces" -> traces = Path.of(value(option, rest));
                case "--quick" -> quick = true;
                case "-o", "--output" -> json = isJson(value(option, rest));
                default -> throw new UsageException("unknown option " + option);
            }
        }
        return new Options(
                only, rounds, runs, minutes, history, isolation, traces, quick, json, help);
    }

    /** For the daemon that is measured. */
    public String[] daemon() {
        return isolation.isEmpty() ? new String[0] : new String[] {"--isolation", isolation};
    }

    private static String isolation(String value) throws UsageException {
        if (!value.equals("process") && !value.equals("shared")) {
            throw new UsageException("--isolation wants process or shared, not " + value);
        }
        return value;
    }

    private static String value(String option, List<String> rest) throws UsageException {
        if (rest.isEmpty()) {
            throw new UsageException(option + " wants a value");
        }
        return rest.removeFirst();
    }

    private static List<String> names(String value, Set<String> known) throws UsageException {
        List<String> names = List.of(value.split(","));
        for (String each : names) {
            if (!known.contains(each)) {
                throw new UsageException(
                        "nothing is named " + each + "; there are " + String.join(", ", known));
            }
        }
        return names;
    }

    private static int positive(String option, String value) throws UsageException {
        if (!value.matches("[1-9][0-9]{0,5}")) {
            throw new UsageException(option + " wants a number from 1, not " + value);
        }
        return Integer.parseInt(value);
    }

    private static boolean isJson(String value) throws UsageException {
        if (!value.equals("json") && !value.equals("text")) {
            throw new UsageException("-o wants text or json, not " + value);
        }
        return value.equals("json");
    }
}
