package facet.cli;

import facet.place.Cluster;
import facet.place.Models;
import facet.place.Policies;
import facet.place.Request;
import facet.sim.Filled;
import facet.sim.Task;
import facet.sim.Trace;
import facet.sim.TraceException;
import facet.sim.TraceFiles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** A request, and the cluster on paper that is asked about it. */
final class ClusterOptions {
    private static final int CHOICES = 5;

    @Option(
            names = "--trace",
            required = true,
            paramLabel = "DIR|FILE",
            description = "The trace whose nodes and requests make the cluster; see 'facet sim'.")
    private Path trace = Path.of("");

    @Option(
            names = "--filled",
            paramLabel = "PERCENT",
            description = "Requests for so much of all devices came before. Default: 90%%.")
    private String filled = "90%";

    @Option(
            names = "--placing",
            paramLabel = "NAME|FILE",
            completionCandidates = PolicyFiles.Names.class,
            description =
                    "How places are chosen: ${COMPLETION-CANDIDATES}, or a file. Default: facet.")
    private String policy = Policies.OURS;

    @Option(names = "--seed", description = "Of the order in which requests came. Default: 42.")
    private long seed = 42;

    @Option(
            names = "--task",
            paramLabel = "NAME",
            description = "What this task of the trace asks.")
    private @Nullable String task;

    @Option(
            names = "--thousandths",
            paramLabel = "NUMBER",
            description = "Of each device that it wants, 1 to 1000. Default: 1000.")
    private int thousandths = Cluster.WHOLE;

    @Option(
            names = "--gpus",
            paramLabel = "NUMBER",
            description = "How many devices it wants, on one node. Default: 1.")
    private int devices = 1;

    @Option(
            names = "--model",
            paramLabel = "NAME",
            split = ",",
            description = "Models that will do, with commas between. Default: all.")
    private List<String> models = new ArrayList<>();

    @Option(names = "--cpu", paramLabel = "NUMBER", description = "Processors. Default: 0.")
    private double cpu;

    @Option(
            names = "--host-memory",
            paramLabel = "MIB",
            description = "MiB of the node's memory. Default: 0.")
    private int memory;

    Filled.Answer answer(CommandLine command) {
        double ratio = PolicyFiles.percent(command, "--filled", filled);
        Trace read;
        try {
            read = TraceFiles.read(trace);
        } catch (TraceException e) {
            throw new CommandFailure(String.valueOf(e.getMessage()), e);
        }
        Request request = request(read, command);
        return Filled.of(read, PolicyFiles.read(policy), ratio, seed).ask(request, CHOICES);
    }

    private Request request(Trace read, CommandLine command) {
        String named = task;
        if (named != null) {
            return read.tasks().stream()
                    .filter(each -> each.name().equals(named))
                    .findFirst()
                    .map(Task::request)
                    .orElseThrow(() ->
                            new CommandFailure("trace " + trace + " has no task '" + named + "'"));
        }
        for (String each : models) {
            if (read.models().set(List.of(each)) == 0) {
                throw new CommandFailure(
                        "no node of the trace has a model '"
                                + each
                                + "'; it has "
                                + String.join(", ", read.models().names()));
            }
        }
        if (!(cpu >= 0 && cpu <= 1_000_000)) {
            throw new ParameterException(command, "--cpu is 0 or more processors, not " + cpu);
        }
        try {
            return new Request(
                    devices,
                    devices == 0 ? 0 : thousandths,
                    models.isEmpty() ? Models.ANY : read.models().set(models),
                    (int) Math.round(cpu * 1000),
                    memory);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(command, String.valueOf(e.getMessage()), e);
        }
    }
}
