package facet.cli;

import com.fasterxml.jackson.databind.JsonNode;
import facet.cli.top.LiveScreen;
import facet.cli.top.Painter;
import facet.cli.top.Report;
import facet.cli.top.Sample;
import facet.cli.top.State;
import facet.cli.top.Theme;
import facet.cli.top.View;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What happens on the devices, live. */
@Command(
        name = "top",
        description = {
            "Shows live what the devices do and what each slice has of them.",
            "Keys: q quit, s sort, r reverse, p pause, arrows scroll, ? help."
        },
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {
            "  facet top",
            "  facet top --interval 5",
            "  facet top --once",
            "  facet top -o json | jq '.slices[] | {name, got}'"
        })
final class Top implements Callable<Integer> {
    @Spec private CommandSpec spec = CommandSpec.create();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            description = "text or json; json is one sample over an interval. Default: text.")
    private Output output = Output.TEXT;

    @Option(
            names = "--once",
            description =
                    "Print one sample over an interval, and end; without a terminal that is the default.")
    private boolean once;

    @Option(
            names = "--interval",
            paramLabel = "SECONDS",
            description = "Time between two samples, from 0.1. Default: 1.")
    private double interval = 1;

    @Mixin private DaemonOption daemon = new DaemonOption();

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (!(interval >= 0.1 && interval <= 3600)) {
            throw new ParameterException(
                    spec.commandLine(), "--interval is 0.1 to 3600 seconds, not " + interval);
        }
        Duration pause = Duration.ofNanos((long) (interval * 1e9));
        Terminal terminal = Terminal.detect();
        Theme theme = new Theme(terminal.colours() != Terminal.Colours.NONE, terminal.unicode());
        try (Control control = daemon.open()) {
            if (output == Output.JSON || once || !isTerminal(System.getenv())) {
                print(once(control, pause), terminal, theme);
            } else {
                LiveScreen.run(theme, () -> sample(control), pause);
            }
        }
        return ExitCode.OK;
    }

    /** Only the script knows whether standard output is one. */
    @SuppressWarnings("SystemConsoleNull") // it is null without a terminal unless JLine is there
    private static boolean isTerminal(Map<String, String> environment) {
        String known = environment.get("FACET_TERMINAL");
        return known == null ? System.console() != null : known.equals("1");
    }

    private static View once(Control control, Duration pause) throws InterruptedException {
        Sample before = sample(control);
        Thread.sleep(pause);
        return View.between(before, sample(control));
    }

    private static Sample sample(Control control) {
        return new Sample(
                rows(control, "devices"), rows(control, "slices"), rows(control, "sessions"));
    }

    private static Sample.Rows rows(Control control, String verb) {
        JsonNode rows = control.ask(verb).path(verb);
        return new Sample.Rows(System.nanoTime(), rows);
    }

    private void print(View view, Terminal terminal, Theme theme) {
        PrintWriter out = spec.commandLine().getOut();
        if (output == Output.JSON) {
            out.println(Json.of(Report.of(view)));
        } else {
            boolean plain = terminal.colours() == Terminal.Colours.NONE;
            new Painter(theme, terminal.columns())
                    .all(view, State.FIRST)
                    .forEach(line ->
                            out.println(plain ? line.toString().stripTrailing() : line.toAnsi()));
        }
        out.flush();
    }
}
