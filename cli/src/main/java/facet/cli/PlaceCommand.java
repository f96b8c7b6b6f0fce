package facet.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The commands about where slices go. */
@Command(
        name = "place",
        description = "Tells where slices and requests go, and why.",
        mixinStandardHelpOptions = true,
        subcommands = PlaceExplain.class,
        footerHeading = "%nExamples:%n",
        footer = {
            "  facet place explain train",
            "  facet place explain --memory 4GiB --compute 30",
            "  facet place explain --trace openb_v2023 --thousandths 300 --cpu 4"
        })
final class PlaceCommand implements Runnable {
    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Which command: explain?");
    }
}
