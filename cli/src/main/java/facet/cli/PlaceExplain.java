package facet.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import facet.cli.Table.Column;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Why a slice is where it is, and why another fits nowhere. */
@Command(
        name = "explain",
        description = {
            "Tells why a slice of the daemon is on its devices, or where one would go that is not"
                    + " there yet: what each device has for it, and what it lacks.",
            "With --trace: where a request would go on a cluster that is filled with requests of a"
                    + " trace, what the best places cost by each score, and why others do not"
                    + " come into question. No daemon is needed. Nothing is changed."
        },
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:told, also when it fits nowhere",
            "1:no daemon answers, or what was named is not there",
            "2:wrong usage"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  facet place explain train",
            "  facet place explain --memory 4GiB --compute 30",
            "  facet place explain --memory 4GiB --compute 30 --devices 2 -o json",
            "  facet place explain --trace openb_v2023 --task openb-pod-0017",
            "  facet place explain --trace openb_v2023 --filled 95%% --thousandths 300 --cpu 4"
        })
final class PlaceExplain implements Callable<Integer> {
    private static final Table DEVICES =
            new Table(
                    Column.number("DEVICE", "device"),
                    Column.bytes("MEMORY", "memory"),
                    Column.bytes("PROMISED", "memoryPromised"),
                    new Column("TIME LEFT", true, row -> row.path("timeRest").asInt() + " %"),
                    Column.text("FOR IT", "words"));

    @Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(
            paramLabel = "NAME",
            arity = "0..1",
            description = "A slice of the daemon. Without it: one that would have the options.")
    private @Nullable String name;

    @ArgGroup(exclusive = false, heading = "%nA slice that is not there yet:%n")
    private @Nullable SliceOptions slice;

    @ArgGroup(exclusive = false, heading = "%nA request on the cluster of a trace:%n")
    private @Nullable ClusterOptions cluster;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            description = "text or json. Default: text.")
    private Output output = Output.TEXT;

    @Mixin private DaemonOption daemon = new DaemonOption();

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        ClusterOptions asked = cluster;
        if (asked != null) {
            if (name != null || slice != null) {
                throw new ParameterException(
                        spec.commandLine(),
                        "--trace is about a request on a cluster on paper; leave out the slice and"
                                + " its options");
            }
            JsonNode answer = Json.tree(asked.answer(spec.commandLine()));
            out.print(output == Output.JSON ? Json.of(answer) + "\n" : clusterText(answer));
        } else {
            JsonNode answer = ask();
            out.print(output == Output.JSON ? Json.of(answer) + "\n" : text(answer));
        }
        out.flush();
        return ExitCode.OK;
    }

    private JsonNode ask() {
        Map<String, String> arguments = new LinkedHashMap<>();
        String named = name;
        if (named != null) {
            arguments.put("name", named);
        }
        SliceOptions options = slice;
        if (options != null) {
            arguments.putAll(options.arguments());
        }
        if (arguments.isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "Which slice? Name one that is there, or say what one would have: --memory,"
                            + " --compute");
        }
        try (Control control = daemon.open()) {
            JsonNode answer = control.ask("explain", arguments);
            ((ObjectNode) answer).remove("ok");
            return answer;
        }
    }

    private static String text(JsonNode answer) {
        StringBuilder text = new StringBuilder();
        String chosen = numbers(answer.path("chosen"), answer.path("chosenNode"));
        if (answer.has("onDevices")) {
            String where = numbers(answer.path("onDevices"), answer.path("node"));
            text.append("slice '%s' is on %s\n".formatted(answer.path("slice").asText(), where));
            text.append("it came there: ").append(answer.path("placed").asText()).append('\n');
            text.append(
                    where.equals(chosen)
                            ? "as things are now it would go there again\n"
                            : chosen.isEmpty()
                                    ? "as things are now it would fit nowhere\n"
                                    : "as things are now it would go on " + chosen + "\n");
        } else {
            text.append(chosen.isEmpty() ? "it fits nowhere\n" : "it would go on " + chosen + "\n");
            if (!chosen.isEmpty()) {
                text.append("  ").append(answer.path("why").asText()).append('\n');
            }
        }
        answer.path("summary").forEach(each -> text.append(each.asText()).append('\n'));
        if (!answer.path("devices").isEmpty()) {
            text.append('\n').append(DEVICES.of(answer.path("devices")));
        }
        if (!answer.path("elsewhere").isEmpty()) {
            text.append("\non other nodes:\n").append(ELSEWHERE.of(answer.path("elsewhere")));
        }
        return text.toString();
    }

    private static final Table ELSEWHERE =
            new Table(
                    Column.text("NODE", "node"),
                    Column.number("DEVICE", "device"),
                    Column.bytes("MEMORY", "memory"),
                    Column.bytes("PROMISED", "memoryPromised"),
                    Column.number("TIME LEFT", "timeRest"),
                    Column.text("FOR THIS SLICE", "words"));

    /** With its node, where that is another one. */
    private static String numbers(JsonNode list, JsonNode node) {
        String name = node.asText("");
        return numbers(list) + (name.isEmpty() ? "" : " of node " + name);
    }

    /** device 1, or devices 0,2; empty for none. */
    private static String numbers(JsonNode list) {
        List<String> numbers = new ArrayList<>();
        list.forEach(each -> numbers.add(each.asText()));
        return switch (numbers.size()) {
            case 0 -> "";
            case 1 -> "device " + numbers.getFirst();
            default -> "devices " + String.join(",", numbers);
        };
    }

    private static String clusterText(JsonNode answer) {
        StringBuilder text = new StringBuilder();
        text.append(
                "%s: %d nodes with %d devices, %.1f %% in use by requests of the trace (%s, seed %d)\n"
                        .formatted(
                                answer.path("trace").asText(),
                                answer.path("nodes").asInt(),
                                answer.path("devices").asInt(),
                                answer.path("used").asDouble(),
                                answer.path("policy").asText(),
                                answer.path("seed").asLong()));
        answer.path("lines").forEach(each -> text.append(each.asText()).append('\n'));
        JsonNode choices = answer.path("choices");
        if (choices.isEmpty()) {
            return text.toString();
        }
        List<Column> columns = new ArrayList<>();
        columns.add(Column.text("NODE", "node"));
        columns.add(Column.text("MODEL", "model"));
        columns.add(new Column("ON", false, row -> numbers(row.path("devices"))));
        columns.add(new Column("FREE", true, row -> row.path("free").asInt() / 1000.0 + ""));
        columns.add(decimal("COST", "/cost"));
        choices.path(0)
                .path("parts")
                .fieldNames()
                .forEachRemaining(score -> columns.add(decimal(score, "/parts/" + score)));
        return text.append("\nbest places, the first is taken; less is better:\n")
                .append(new Table(columns.toArray(new Column[0])).of(choices))
                .toString();
    }

    private static Column decimal(String heading, String path) {
        return new Column(
                heading,
                true,
                row -> String.format(java.util.Locale.ROOT, "%.4f", row.at(path).asDouble()));
    }
}
