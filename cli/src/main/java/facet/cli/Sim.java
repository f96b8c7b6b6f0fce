package facet.cli;

import facet.cli.Table.Column;
import facet.place.Policies;
import facet.place.Policy;
import facet.sim.Crowding;
import facet.sim.Failures;
import facet.sim.Filling;
import facet.sim.Replay;
import facet.sim.RuleSets;
import facet.sim.Seeds;
import facet.sim.Trace;
import facet.sim.TraceException;
import facet.sim.TraceFiles;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Policies of placing, tried on the trace of a cluster. */
@Command(
        name = "sim",
        description = {
            "Tries policies of placing on the trace of a cluster, and says how much of its devices"
                    + " they put to use.",
            "Tasks of the trace arrive in random order, and again, until they ask for more than the"
                    + " cluster has; nobody leaves. With --departures they come and go at the"
                    + " trace's own times, and wait where there is no room.",
            "A folder has nodes.csv (name, model, devices, cpu_milli, memory_mib) and tasks.csv"
                    + " (name, devices, thousandths, model, cpu_milli, memory_mib, arrives,"
                    + " leaves), or the files of Alibaba's openb traces. docs/placing.md has more."
        },
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:done", "1:the trace or a policy cannot be read", "2:wrong usage"},
        footerHeading = "%nExamples:%n",
        footer = {
            "  facet sim --trace openb_v2023",
            "  facet sim --trace openb_v2023/openb_pod_list_gpuspec33.csv --compare fgd,best-fit"
                    + " --seeds 42-51",
            "  facet sim --trace my-cluster --policy my.policy --until 110%% -o json",
            "  facet sim --trace openb_v2023 --departures --rules move --compare best-fit",
            "  facet sim --trace openb_v2023 --compare fgd,best-fit --report placing.html",
            "  facet sim --shape inference --seeds 42-44"
        })
final class Sim implements Callable<Integer> {
    private static final Table FILLINGS =
            new Table(
                    Column.text("POLICY", "policy"),
                    Column.number("RUNS", "runs"),
                    tenths("ALLOCATED %", "allocation"),
                    tenths("LEAST", "least"),
                    tenths("MOST", "most"),
                    Column.number("PLACED", "placed"),
                    Column.number("OF", "arrived"));

    private static final Table REPLAYS =
            new Table(
                    Column.text("POLICY", "policy"),
                    Column.number("SEED", "seed"),
                    Column.number("NODES", "nodes"),
                    Column.number("WAIT P50 s", "waitMedian"),
                    Column.number("P99 s", "waitMost99"),
                    tenths("MEAN s", "waitMean"),
                    Column.number("URGENT P99 s", "waitUrgent99"),
                    Column.number("WAITED", "waited"),
                    tenths("ALLOCATED %", "allocation"),
                    Column.number("NEVER", "never"),
                    Column.number("PREEMPTED", "preemptions"),
                    Column.number("MOVED", "moves"),
                    Column.number("FAILED", "failures"),
                    tenths("LOST %", "lost"));

    /** Beside {@link #REPLAYS}, where the trace has a calendar of pools. */
    private static final Table TURNS =
            new Table(
                    Column.text("POLICY", "policy"),
                    Column.number("SEED", "seed"),
                    turn("NODES DRAINED", "drained"),
                    turn("CHANGED HANDS", "changed"),
                    turn("TASKS ENDED MEANWHILE", "endedByThemselves"),
                    turn("TOLD TO LEAVE", "told"));

    /** All runs of a policy. Allocation is the mean. */
    record Summary(
            String trace,
            String policy,
            int runs,
            double allocation,
            double least,
            double most,
            int placed,
            int arrived,
            List<Filling> fillings) {
        static Summary of(List<Filling> fillings) {
            Filling first = fillings.getFirst();
            return new Summary(
                    first.trace(),
                    first.policy(),
                    fillings.size(),
                    fillings.stream().mapToDouble(Filling::allocation).average().orElse(0),
                    fillings.stream().mapToDouble(Filling::allocation).min().orElse(0),
                    fillings.stream().mapToDouble(Filling::allocation).max().orElse(0),
                    fillings.stream().mapToInt(Filling::placed).sum(),
                    fillings.stream().mapToInt(Filling::arrived).sum(),
                    fillings);
        }
    }

    @Spec private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--trace",
            paramLabel = "DIR|FILE",
            description = "The folder of a trace, or its file of tasks with the nodes beside it.")
    private @Nullable Path trace;

    @Option(
            names = "--shape",
            paramLabel = "NAME",
            description = {
                "Instead of a trace, a day of devices that are shared: ${COMPLETION-CANDIDATES}.",
                "inference: how many devices 100 services with daily waves need for the same"
                        + " latency; development: what environments do beside services."
            })
    private @Nullable SimShape shape;

    @Option(
            names = "--policy",
            paramLabel = "NAME|FILE",
            completionCandidates = PolicyFiles.Names.class,
            description =
                    "How places are chosen: ${COMPLETION-CANDIDATES}, or a file. Default: facet.")
    private String policy = Policies.OURS;

    @Option(
            names = "--compare",
            paramLabel = "NAME|FILE",
            split = ",",
            completionCandidates = PolicyFiles.Names.class,
            description = "Policies to compare it with, with commas between.")
    private List<String> compared = new ArrayList<>();

    @Option(
            names = "--until",
            paramLabel = "PERCENT",
            description =
                    "How much arrives, of all devices of the cluster; with --departures: how much"
                            + " is asked for in the busiest moment, for which nodes are left out."
                            + " Default: 130%%.")
    private String until = "130%";

    @Option(
            names = "--seeds",
            paramLabel = "SEED|FIRST-LAST",
            description = "A run for each of them. Default: 42.")
    private String seeds = "42";

    @Option(
            names = "--departures",
            description = "Tasks come and go at the trace's own times, and wait in between.")
    private boolean departures;

    @Option(
            names = "--rules",
            paramLabel = "RULES",
            completionCandidates = RuleNames.class,
            description =
                    "With --departures, what is done for tasks that find no room:"
                            + " ${COMPLETION-CANDIDATES}. plain: nothing; reserve: room is kept"
                            + " for the first of each queue; preempt: also, those with less"
                            + " priority and those who borrowed leave; move: also, others move."
                            + " Default: reserve.")
    private String rules = "reserve";

    private static final class RuleNames implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return RuleSets.NAMES.iterator();
        }
    }

    @Option(
            names = "--report",
            paramLabel = "FILE.html",
            description =
                    "Write a page with plots of allocation, fragmentation, waiting times and"
                            + " utilisation, a line for each policy. Tasks are also run with their"
                            + " own times for it, where the trace has some.")
    private @Nullable Path report;

    @Option(
            names = "--failures",
            paramLabel = "TIME/TIME",
            description =
                    "With --departures: nodes fail after so long on average, and are back after the"
                            + " second time: 30d/2h. What ran there begins anew.")
    private @Nullable String failures;

    private final Progress progress = new Progress();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            description = "text or json. Default: text.")
    private Output output = Output.TEXT;

    private static Column tenths(String heading, String field) {
        return new Column(
                heading,
                true,
                row -> String.format(Locale.ROOT, "%.2f", row.path(field).asDouble()));
    }

    private static Column turn(String heading, String field) {
        return new Column(heading, true, row -> row.path("turns").path(field).asText());
    }

    @Override
    public Integer call() {
        SimShape day = shape;
        Path place = trace;
        if (day != null) {
            return run(day);
        }
        if (failures != null && !departures) {
            throw new ParameterException(
                    spec.commandLine(), "--failures goes with --departures: else nobody leaves");
        }
        if (place == null) {
            throw new ParameterException(
                    spec.commandLine(), "What is tried? Say --trace or --shape");
        }
        double ratio = PolicyFiles.percent(spec.commandLine(), "--until", until);
        Failures failing = FailureTimes.parse(spec.commandLine(), failures);
        List<Long> chosen = seeds();
        if (!RuleSets.NAMES.contains(rules)) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--rules: there are no rules '%s'; there are %s"
                            .formatted(rules, String.join(", ", RuleSets.NAMES)));
        }
        List<Policy> policies = new ArrayList<>();
        policies.add(PolicyFiles.read(policy));
        compared.forEach(each -> policies.add(PolicyFiles.read(each)));
        Trace read;
        try {
            read = TraceFiles.read(place);
        } catch (TraceException e) {
            throw new CommandFailure(String.valueOf(e.getMessage()), e);
        }
        PrintWriter out = spec.commandLine().getOut();
        Path page = report;
        boolean hasTimes = read.tasks().stream().anyMatch(each -> each.leaves() > each.arrives());
        boolean replays = departures || page != null && hasTimes;
        boolean fills = !departures || page != null;
        progress.expect(policies.size() * chosen.size() * ((replays ? 1 : 0) + (fills ? 1 : 0)));
        List<Filling> filled = new ArrayList<>();
        List<Replay> replayed = new ArrayList<>();
        for (Policy each : policies) {
            for (long seed : chosen) {
                String what = each.name() + ", seed " + seed;
                if (fills) {
                    progress.begin(spec.commandLine().getErr(), what);
                    filled.add(Filling.run(read, each, ratio, seed));
                }
                if (replays) {
                    progress.begin(spec.commandLine().getErr(), what + ", with departures");
                    // A calendar says how many nodes a pool has: then all of them stay.
                    Trace crowded = read.calendar() == null ? Crowding.of(read, ratio, seed) : read;
                    replayed.add(Replay.run(crowded, each, rules, failing, seed));
                }
            }
        }
        if (page != null) {
            String note =
                    !hasTimes
                            ? "The trace has no times: nobody waits and leaves."
                            : read.calendar() == null ? "" : turns(replayed);
            SimReport.of(read, seeds, until, note, filled, replayed).write(page);
        }
        if (departures) {
            out.print(
                    output == Output.JSON
                            ? Json.of(replayed) + "\n"
                            : REPLAYS.of(Json.tree(replayed))
                                    + (read.calendar() == null
                                            ? ""
                                            : "\n" + TURNS.of(Json.tree(replayed))));
        } else {
            List<Summary> summaries = new ArrayList<>();
            for (int i = 0; i < filled.size(); i += chosen.size()) {
                summaries.add(Summary.of(filled.subList(i, i + chosen.size())));
            }
            out.print(
                    output == Output.JSON
                            ? Json.of(summaries) + "\n"
                            : FILLINGS.of(Json.tree(summaries)));
        }
        out.flush();
        return ExitCode.OK;
    }

    private static String turns(List<Replay> all) {
        return ("Nodes changed hands %d times by the calendar; %d tasks ended by themselves on"
                        + " nodes that drained, %d had to leave.")
                .formatted(
                        all.stream().mapToInt(each -> each.turns().changed()).sum(),
                        all.stream().mapToInt(each -> each.turns().endedByThemselves()).sum(),
                        all.stream().mapToInt(each -> each.turns().told()).sum());
    }

    private int run(SimShape day) {
        if (trace != null
                || report != null
                || departures
                || failures != null
                || !compared.isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(), "--shape goes with --seeds and -o alone");
        }
        List<Long> chosen = seeds();
        progress.expect(chosen.size());
        List<Object> rows = new ArrayList<>();
        for (long seed : chosen) {
            progress.begin(spec.commandLine().getErr(), day.word() + ", seed " + seed);
            rows.add(day.run(seed));
        }
        PrintWriter out = spec.commandLine().getOut();
        out.print(output == Output.JSON ? Json.of(rows) + "\n" : day.text(Json.tree(rows)));
        out.flush();
        return ExitCode.OK;
    }

    private List<Long> seeds() {
        try {
            return Seeds.parse(seeds);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), "--seeds: " + e.getMessage(), e);
        }
    }
}
