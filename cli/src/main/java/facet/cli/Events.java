package facet.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What happened. */
@Command(
        name = "events",
        description = {
            "Shows what happened: slices created and deleted, programs, faults, memory moved,"
                    + " requests refused.",
            "The daemon keeps the last 10,000. docs/api.md explains the kinds."
        },
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:done", "1:no daemon answers, or it has ended", "2:wrong usage"},
        footerHeading = "%nExamples:%n",
        footer = {
            "  facet events --since 10m",
            "  facet events --follow --slice train",
            "  facet events --kind fault --kind refused",
            "  facet events --follow -o json | jq -r .text"
        })
final class Events implements Callable<Integer> {
    private static final int PAGE = 1000;

    /** As many as are shown first when somebody follows and does not say from when on. */
    private static final int SOME = 10;

    /** So long the daemon waits for the next one before it answers that there is none. */
    private static final String WAIT_MILLIS = "30000";

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss").withZone(ZoneId.systemDefault());

    @Spec private CommandSpec spec = CommandSpec.create();

    @Option(
            names = {"-f", "--follow"},
            description = "Keep printing new events.")
    private boolean follow;

    @Option(
            names = "--since",
            paramLabel = "TIME|NUMBER",
            description =
                    "Only events of the last 90s, 10m, 2h, 1d, or after the event with that number."
                            + " Default: all; with --follow the last 10.")
    private @Nullable String since;

    @Option(names = "--slice", paramLabel = "NAME", description = "Only events of a slice.")
    private @Nullable String slice;

    @Option(
            names = "--kind",
            paramLabel = "KIND",
            split = ",",
            completionCandidates = EventKinds.class,
            description =
                    "Only events of a kind; may be given several times: ${COMPLETION-CANDIDATES}.")
    private List<String> kinds = new ArrayList<>();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            description = "text, or json: one object per line. Default: text.")
    private Output output = Output.TEXT;

    @Mixin private DaemonOption daemon = new DaemonOption();

    @Override
    public Integer call() {
        Since from = from();
        for (String each : kinds) {
            if (!EventKinds.ALL.contains(each)) {
                throw new ParameterException(
                        spec.commandLine(),
                        "there is no kind '"
                                + each
                                + "'; the kinds are "
                                + String.join(", ", EventKinds.ALL));
            }
        }
        try (Control control = daemon.open()) {
            if (follow && since == null) {
                Deque<JsonNode> last = new ArrayDeque<>();
                long sequence =
                        all(
                                control,
                                from,
                                each -> {
                                    last.addLast(each);
                                    if (last.size() > SOME) {
                                        last.removeFirst();
                                    }
                                });
                last.forEach(this::print);
                follow(control, sequence);
            } else {
                long sequence = all(control, from, this::print);
                if (follow) {
                    follow(control, sequence);
                }
            }
        }
        spec.commandLine().getOut().flush();
        return ExitCode.OK;
    }

    private Since from() {
        try {
            return since == null ? Since.EVER : Since.parse(since, Instant.now());
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
    }

    /** All that there is. The sequence of the last one. */
    private long all(Control control, Since from, Consumer<JsonNode> taker) {
        long sequence = from.sequence();
        while (true) {
            JsonNode page =
                    control.ask(
                                    "events",
                                    Map.of(
                                            "since",
                                            Long.toString(sequence),
                                            "limit",
                                            Integer.toString(PAGE)))
                            .path("events");
            if (page.isEmpty()) {
                return sequence;
            }
            for (JsonNode each : page) {
                sequence = each.path("sequence").asLong();
                if (each.path("time").asLong() >= from.millis() && isWanted(each)) {
                    taker.accept(each);
                }
            }
        }
    }

    /** Until the daemon ends, or nobody reads any more. */
    private void follow(Control control, long last) {
        long sequence = last;
        PrintWriter out = spec.commandLine().getOut();
        out.flush();
        while (!out.checkError()) {
            JsonNode page =
                    control.ask(
                                    "events",
                                    Map.of("since", Long.toString(sequence), "wait", WAIT_MILLIS))
                            .path("events");
            for (JsonNode each : page) {
                sequence = each.path("sequence").asLong();
                if (isWanted(each)) {
                    print(each);
                }
            }
            out.flush();
        }
    }

    private boolean isWanted(JsonNode event) {
        return (slice == null || event.path("slice").asText().equals(slice))
                && (kinds.isEmpty() || kinds.contains(event.path("kind").asText()));
    }

    private void print(JsonNode event) {
        PrintWriter out = spec.commandLine().getOut();
        if (output == Output.JSON) {
            out.println(event);
            return;
        }
        JsonNode session = event.path("session");
        out.println(
                String.format(
                                Locale.ROOT,
                                "%s  %-17s  %-16s  %s",
                                TIME.format(Instant.ofEpochMilli(event.path("time").asLong())),
                                event.path("kind").asText(),
                                event.path("slice").asText("-")
                                        + (session.isMissingNode() ? "" : "/" + session.asText()),
                                event.path("text").asText())
                        .stripTrailing());
    }
}
