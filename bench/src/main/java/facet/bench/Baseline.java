package facet.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A program of bench/baseline, run once for each turn of a kernel. */
final class Baseline {
    private static final Pattern RESULT =
            Pattern.compile(
                    "\"milliseconds\":([0-9.e+-]+),\"median_milliseconds\":([0-9.e+-]+).*\"checksum\":([0-9.e+-]+)");

    private final String name;
    private final String program;
    private Optional<String> missing = Optional.empty();

    /** Best and median of the launches of one turn. */
    record Turn(double best, double median, double checksum) {}

    /**
     * @param program in bench/target
     */
    Baseline(String name, String program) {
        this.name = name;
        this.program = program;
    }

    /** Builds what can be built; the rest is found missing when it is run. */
    static void build() throws InterruptedException {
        try {
            Process make =
                    new ProcessBuilder(
                                    "make",
                                    "-s",
                                    "-k",
                                    "-C",
                                    Places.inRepository("bench/baseline").toString())
                            .redirectErrorStream(true)
                            .start();
            String output =
                    new String(make.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (make.waitFor() != 0) {
                System.err.print(output);
            }
        } catch (IOException e) {
            System.err.println("bench/baseline cannot be built: " + e.getMessage());
        }
    }

    String name() {
        return name;
    }

    /** Why there are no results. */
    Optional<String> missing() {
        return missing;
    }

    /** Empty when the program is not there or cannot run. */
    Optional<Turn> run(String kernel, int warmUps, int runs) throws InterruptedException {
        Path path = Places.inRepository("bench/target").resolve(program);
        if (missing.isPresent()) {
            return Optional.empty();
        }
        if (!Files.isExecutable(path)) {
            missing =
                    Optional.of(
                            name
                                    + ": bench/target/"
                                    + program
                                    + " is not there; bench/README.md names what it needs");
            return Optional.empty();
        }
        List<String> command = new ArrayList<>(List.of(path.toString(), "--only", kernel));
        command.addAll(List.of("--warmup", "" + warmUps, "--runs", "" + runs));
        try {
            Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            String output =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            Matcher matcher = RESULT.matcher(output);
            if (process.waitFor() == 0 && matcher.find()) {
                return Optional.of(
                        new Turn(
                                Double.parseDouble(matcher.group(1)),
                                Double.parseDouble(matcher.group(2)),
                                Double.parseDouble(matcher.group(3))));
            }
            missing = Optional.of(name + ": " + output.strip());
        } catch (IOException e) {
            missing = Optional.of(name + ": " + e.getMessage());
        }
        return Optional.empty();
    }
}
