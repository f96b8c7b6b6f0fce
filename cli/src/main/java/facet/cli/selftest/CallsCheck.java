package facet.cli.selftest;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What calls cost the program that makes them. */
final class CallsCheck implements Check {
    @Override
    public String about() {
        return "calls";
    }

    @Override
    public String text() {
        return "what calls take of their caller";
    }

    @Override
    public List<Outcome> run(Ground ground) throws IOException, InterruptedException {
        try (Program program = ground.program("calls", Map.of())) {
            program.ask("calls");
            Answer answer = program.ask("calls");
            return List.of(
                    Outcome.told(about(), "to launch a kernel", micros(answer.number("launch"))),
                    Outcome.told(
                            about(),
                            "to launch one and wait for it",
                            micros(answer.number("wait"))),
                    Outcome.told(
                            about(),
                            "to allocate 4 KiB and free them",
                            micros(answer.number("allocate"))));
        }
    }

    static String micros(double nanos) {
        return String.format(Locale.ROOT, "%.2f µs", nanos / 1e3);
    }
}
