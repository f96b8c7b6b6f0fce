package facet.cli;

import picocli.CommandLine.Command;

/** {@code facet slices} under the name that goes with the others. */
@Command(
        name = "list",
        aliases = "ls",
        footer = {"  facet slice list", "  facet slice list -o json"})
final class SliceList extends Slices {}
