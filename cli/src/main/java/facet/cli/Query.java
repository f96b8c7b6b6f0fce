package facet.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** A command that asks the daemon one thing and prints the answer. */
abstract class Query implements Callable<Integer> {
    @Spec private CommandSpec spec = CommandSpec.create();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            description = "text or json. Default: text.")
    private Output output = Output.TEXT;

    @Mixin private DaemonOption daemon = new DaemonOption();

    private final String verb;

    Query(String verb) {
        this.verb = verb;
    }

    CommandSpec spec() {
        return spec;
    }

    String verb() {
        return verb;
    }

    /** What is asked, besides the verb. */
    Map<String, String> arguments() {
        return Map.of();
    }

    /** The part of the answer that was asked for. */
    JsonNode chosen(JsonNode answer) {
        return answer;
    }

    /** The answer for people. */
    abstract String text(JsonNode answer);

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        Map<String, String> arguments = arguments();
        try (Control control = daemon.open()) {
            JsonNode answer = chosen(control.ask(verb(), arguments));
            if (output == Output.JSON) {
                ((ObjectNode) answer).remove("ok");
                out.println(Json.of(answer));
            } else {
                out.print(text(answer));
            }
            out.flush();
        }
        return ExitCode.OK;
    }
}
