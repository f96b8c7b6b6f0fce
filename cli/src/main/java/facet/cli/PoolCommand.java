package facet.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The commands about the pool of nodes. */
@Command(
        name = "pool",
        description = {
            "Makes a pool of machines, joins one, leaves it, and shows it.",
            "Slices of one machine may have devices of another; programs notice nothing."
        },
        mixinStandardHelpOptions = true,
        subcommands = {
            PoolInit.class,
            PoolJoin.class,
            PoolStatus.class,
            PoolDrain.class,
            PoolLeave.class
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  facet pool init                                     # on the first machine",
            "  facet pool join gpu1:7412 --token-file pool-token   # on the others",
            "  facet devices",
            "  facet slice create train --node gpu1 --memory 8GiB",
            "  facet pool status"
        })
final class PoolCommand implements Runnable {
    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(), "Which command: init, join, status, drain or leave?");
    }
}
