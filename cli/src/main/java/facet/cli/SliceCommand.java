package facet.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The commands about one slice. */
@Command(
        name = "slice",
        description = {
            "Creates, changes, lists, explains and deletes slices.",
            "They stay until they are deleted, even when the daemon restarts."
        },
        mixinStandardHelpOptions = true,
        subcommands = {
            SliceCreate.class,
            SliceSet.class,
            SliceList.class,
            SliceExplain.class,
            SliceDelete.class
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  facet slice create train --memory 4GiB --compute 60",
            "  facet run --slice train ./train",
            "  facet slice set train --compute 30",
            "  facet slice list",
            "  facet slice explain train",
            "  facet slice delete train"
        })
final class SliceCommand implements Runnable {
    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(), "Which command: create, set, list, explain or delete?");
    }
}
