package facet.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Prints the page of the manual; the package is made with it. */
@Command(
        name = "manual",
        hidden = true,
        description = "Prints the page of the manual, for man.",
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = "  facet manual | man -l -")
final class Manual implements Callable<Integer> {
    @Spec private CommandSpec spec = CommandSpec.create();

    @Option(names = "--date", paramLabel = "DATE", description = "Date of the page: 2026-11-16.")
    private String date = "";

    @Option(
            names = "--text",
            paramLabel = "COMMAND=FILE",
            description = "Help of a command that the script answers itself.")
    private Map<String, Path> texts = new LinkedHashMap<>();

    @Override
    public Integer call() throws IOException {
        ManualPage page = new ManualPage(Version.text(), date);
        for (Map.Entry<String, Path> each : texts.entrySet()) {
            page.text("facet " + each.getKey(), Files.readString(each.getValue()));
        }
        page.commands(Main.commandLine());
        spec.commandLine().getOut().print(page.finish());
        spec.commandLine().getOut().flush();
        return ExitCode.OK;
    }
}
