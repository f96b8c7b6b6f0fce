package facet.cli;

import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code facet} and its list of commands. */
@Command(
        name = "facet",
        description = "Every container its own slice of a GPU.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:done", "1:failed; the reason is on standard error", "2:wrong usage"},
        subcommands = {
            Demo.class,
            Status.class,
            Devices.class,
            Slices.class,
            SliceCommand.class,
            Apply.class,
            Ps.class,
            Top.class,
            Events.class,
            Cdi.class,
            PoolCommand.class,
            PoolJoin.class,
            PlaceCommand.class,
            Sim.class,
            Doctor.class,
            SelfTest.class,
            RewriteCommand.class,
            Down.class,
            Completion.class,
            Manual.class
        })
public final class Main implements Runnable {
    @Spec private CommandSpec spec = CommandSpec.create();

    private Main() {}

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Which command?");
    }

    static CommandLine commandLine() {
        return new CommandLine(new Main())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler(Main::misused)
                .setExecutionExceptionHandler(Main::failed);
    }

    /** What is wrong and where to read more; all of the help would hide it. */
    private static int misused(ParameterException thrown, String[] arguments) {
        CommandLine command = thrown.getCommandLine();
        PrintWriter err = command.getErr();
        err.println("facet: " + thrown.getMessage());
        CommandLine.UnmatchedArgumentException.printSuggestions(thrown, err);
        err.println("facet: see '" + command.getCommandSpec().qualifiedName() + " --help'");
        return command.getCommandSpec().exitCodeOnInvalidInput();
    }

    /** Expected failures are told in a line; anything else is a defect and shows its trace. */
    private static int failed(
            Exception thrown, CommandLine command, CommandLine.ParseResult parsed) {
        PrintWriter err = command.getErr();
        if (thrown instanceof CommandFailure) {
            err.println("facet: " + thrown.getMessage());
        } else {
            thrown.printStackTrace(err);
        }
        return command.getCommandSpec().exitCodeOnExecutionException();
    }

    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }
}
