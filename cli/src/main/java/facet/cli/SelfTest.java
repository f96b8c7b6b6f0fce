package facet.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import facet.cli.Table.Column;
import facet.cli.selftest.Check;
import facet.cli.selftest.Checks;
import facet.cli.selftest.Ground;
import facet.cli.selftest.Outcome;
import facet.cli.selftest.Outcome.Verdict;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Whether the promises hold on this machine. */
@Command(
        name = "selftest",
        description = {
            "Tries what Facet promises on the devices of the daemon that runs: that limits of memory"
                    + " hold, that shares are kept, that faults stay where they are, that a priority"
                    + " slice does not wait, what calls cost, and how the engines compare where there"
                    + " are two. Takes about a minute.",
            "",
            "Programs of its own run in slices of their own, which are gone afterwards. Other"
                    + " programs on the same devices, and load of the machine, change the figures.",
            ""
        },
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:every promise that was tried holds",
            "1:one does not, or could not be tried",
            "2:wrong usage"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  facet selftest                       a table to read, or to paste into a report",
            "  facet selftest --only quota,shares   some of it",
            "  facet selftest --seconds 30          shares over a longer time",
            "  facet selftest -o json"
        })
final class SelfTest implements Callable<Integer> {
    /** Of the processors: with more load than that before it began, others disturbed it. */
    private static final double BUSY = 0.5;

    private static final Table TABLE =
            new Table(
                    Column.text("PROMISE", "about"),
                    Column.text("TRIED", "text"),
                    Column.text("MEASURED", "measured"),
                    Column.text("WANTED", "wanted"),
                    new Column(
                            "",
                            false,
                            row -> Verdict.valueOf(row.path("verdict").asText()).word()));

    @Spec private CommandSpec spec = CommandSpec.create();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            description = "text or json. Default: text.")
    private Output output = Output.TEXT;

    @Option(
            names = "--only",
            split = ",",
            paramLabel = "PROMISE",
            description =
                    "Which to try: quota, faults, shares, cap, priority, calls, engines. Default:"
                            + " all.")
    private List<String> only = List.of();

    @Option(
            names = "--seconds",
            paramLabel = "N",
            description = "How long programs compute beside each other, 1 to 600. Default: 8.")
    private int seconds = 8;

    @Mixin private DaemonOption daemon = new DaemonOption();

    @Override
    public Integer call() throws InterruptedException {
        if (seconds < 1 || seconds > 600) {
            throw new ParameterException(spec.commandLine(), "--seconds must be from 1 to 600");
        }
        List<Check> chosen = chosen();
        ObjectNode answer = machine();
        Ground ground =
                new Ground(
                        Path.of(System.getProperty("facet.native", "/usr/lib/facet"))
                                .toAbsolutePath(),
                        daemon::open,
                        seconds);
        List<Outcome> outcomes = new ArrayList<>();
        PrintWriter progress = spec.commandLine().getErr();
        for (Check each : chosen) {
            progress.printf("%s: %s …%n", each.about(), each.text());
            progress.flush();
            outcomes.addAll(run(each, ground));
        }
        ArrayNode rows = answer.putArray("promises");
        outcomes.forEach(each -> rows.add(Json.tree(each)));
        PrintWriter out = spec.commandLine().getOut();
        out.print(output == Output.JSON ? Json.of(answer) + "\n" : text(answer));
        out.flush();
        return outcomes.stream()
                        .allMatch(each ->
                                each.verdict() == Verdict.HELD || each.verdict() == Verdict.TOLD)
                ? ExitCode.OK
                : ExitCode.SOFTWARE;
    }

    private List<Check> chosen() {
        List<String> known = Checks.all().stream().map(Check::about).toList();
        for (String each : only) {
            if (!known.contains(each)) {
                throw new ParameterException(
                        spec.commandLine(),
                        "--only " + each + ": there are " + String.join(", ", known));
            }
        }
        return Checks.all().stream()
                .filter(each -> only.isEmpty() || only.contains(each.about()))
                .collect(Collectors.toList());
    }

    /** A promise that cannot be tried says why, and the others are tried all the same. */
    private static List<Outcome> run(Check check, Ground ground) throws InterruptedException {
        try {
            return check.run(ground);
        } catch (IOException | CommandFailure e) {
            return List.of(
                    new Outcome(
                            check.about(),
                            check.text(),
                            String.valueOf(e.getMessage()),
                            "",
                            Verdict.NOT_TRIED));
        }
    }

    /** What the figures depend on. */
    private ObjectNode machine() {
        ObjectNode answer = JsonNodeFactory.instance.objectNode();
        try (Control control = daemon.open()) {
            answer.put("version", control.ask("status").path("version").asText(""));
            answer.set("devices", control.ask("devices").path("devices"));
        }
        answer.put("processors", Runtime.getRuntime().availableProcessors());
        answer.put("load", ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
        return answer;
    }

    private static String text(ObjectNode answer) {
        StringBuilder text = new StringBuilder();
        answer.path("devices")
                .forEach(each ->
                        text.append(
                                "device %s: %s, %s%n"
                                        .formatted(
                                                each.path("device").asText(),
                                                each.path("name").asText(),
                                                Units.bytes(each.path("memory").asLong()))));
        text.append(
                String.format(
                        Locale.ROOT,
                        "%d processors, load %.1f before it began%n",
                        answer.path("processors").asInt(),
                        answer.path("load").asDouble()));
        if (answer.path("load").asDouble() > BUSY * answer.path("processors").asInt()) {
            text.append(
                    "the machine was busy: where devices are software, times say little%n"
                            .formatted());
        }
        text.append(System.lineSeparator());
        return text.append(TABLE.of(answer.path("promises"))).toString();
    }
}
