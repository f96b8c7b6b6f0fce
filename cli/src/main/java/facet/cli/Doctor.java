package facet.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import facet.cli.doctor.DaemonState;
import facet.cli.doctor.Examination;
import facet.cli.doctor.Finding;
import facet.cli.doctor.Finding.Grade;
import facet.cli.doctor.Machine;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What is wrong on this machine, and what to do about it. */
@Command(
        name = "doctor",
        description =
                "Looks at what Facet needs on this machine (kernel, libraries, daemon, ports,"
                        + " drivers, container engines, hooks, CDI files) and says what to do.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:nothing is in the way", "1:there is a problem", "2:wrong usage"},
        footerHeading = "%nExamples:%n",
        footer = {"  facet doctor", "  facet doctor -o json"})
final class Doctor implements Callable<Integer> {
    @Spec private CommandSpec spec = CommandSpec.create();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            description = "text or json. Default: text.")
    private Output output = Output.TEXT;

    @Mixin private DaemonOption daemon = new DaemonOption();

    @Override
    public Integer call() {
        Machine machine =
                new Machine(
                        Path.of("/"),
                        System.getenv(),
                        Path.of(System.getProperty("facet.native", "/usr/lib/facet"))
                                .toAbsolutePath());
        List<Finding> findings = Examination.of(machine, ask());
        PrintWriter out = spec.commandLine().getOut();
        out.print(output == Output.JSON ? Json.of(json(findings)) + "\n" : text(findings));
        out.flush();
        return problems(findings) == 0 ? ExitCode.OK : ExitCode.SOFTWARE;
    }

    private DaemonState ask() {
        Path directory = daemon.directory();
        try (Control control = daemon.open()) {
            JsonNode status = control.ask("status");
            return new DaemonState(directory, status, control.ask("devices").path("devices"), "");
        } catch (CommandFailure e) {
            return DaemonState.absent(directory, String.valueOf(e.getMessage()));
        }
    }

    static ObjectNode json(List<Finding> findings) {
        ObjectNode answer = JsonNodeFactory.instance.objectNode();
        answer.put("problems", problems(findings));
        ArrayNode all = answer.putArray("findings");
        for (Finding each : findings) {
            ObjectNode node = all.addObject();
            node.put("about", each.about());
            node.put("grade", each.grade().word());
            node.put("text", each.text());
            if (!each.advice().isEmpty()) {
                node.put("advice", each.advice());
            }
        }
        return answer;
    }

    static String text(List<Finding> findings) {
        StringBuilder text = new StringBuilder();
        for (Finding each : findings) {
            text.append(
                    "%-8s  %-10s  %s%n".formatted(each.grade().word(), each.about(), each.text()));
            if (!each.advice().isEmpty()) {
                text.append("%-8s  %-10s  -> %s%n".formatted("", "", each.advice()));
            }
        }
        long problems = problems(findings);
        return text.append(
                        problems == 0
                                ? "nothing is in the way\n"
                                : problems == 1 ? "1 problem\n" : problems + " problems\n")
                .toString();
    }

    private static long problems(List<Finding> findings) {
        return findings.stream().filter(each -> each.grade() == Grade.PROBLEM).count();
    }
}
