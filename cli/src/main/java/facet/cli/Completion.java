package facet.cli;

import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Prints a completion script. */
@Command(
        name = "completion",
        description = "Prints a completion script for bash and zsh.",
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {
            "  source <(facet completion)",
            "  facet completion > /etc/bash_completion.d/facet"
        })
final class Completion implements Callable<Integer> {
    /** Commands that the script {@code facet} answers itself, separated by spaces. */
    private static final String SCRIPT_COMMANDS = "facet.script.commands";

    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        CommandLine facet = Main.commandLine();
        for (String name : System.getProperty(SCRIPT_COMMANDS, "").split(" ", -1)) {
            if (!name.isEmpty() && !facet.getSubcommands().containsKey(name)) {
                facet.addSubcommand(name, CommandSpec.create());
            }
        }
        spec.commandLine().getOut().println(AutoComplete.bash("facet", facet));
        spec.commandLine().getOut().flush();
        return CommandLine.ExitCode.OK;
    }
}
