package facet.cli;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * The page facet(1), written from the help of the commands. Its language is that of man(7): a line
 * that begins with a dot is an order.
 */
final class ManualPage {
    private static final String END =
            """
            .SH EXIT STATUS
            0: done. 1: failed; the reason is on standard error. 2: wrong usage.
            .B facet run
            ends as its program does.
            .SH ENVIRONMENT
            .TP
            .B FACET_RUNTIME_DIR
            Where the daemon has its sockets.
            .TP
            .B FACET_STATE_DIR
            Where the daemon keeps slices.
            .TP
            .B FACET_JAVA_OPTS
            More options for the JVM, for example \\-Xmx4g.
            .TP
            .B NO_COLOR
            When set, no colours.
            .SH FILES
            .TP
            .I /etc/default/facet
            Options of the service facetd.
            .TP
            .I /run/facet
            Sockets of the daemon and of the slices. Of a daemon that a user started:
            .I $XDG_RUNTIME_DIR/facet
            or
            .IR /tmp/facet\\-UID .
            .TP
            .I /var/lib/facet
            Slices that stay, and the token for HTTP. Of a daemon that a user started:
            .IR ~/.local/state/facet .
            .SH SEE ALSO
            .BR podman (1),
            .BR runc (8),
            .BR systemctl (1)
            """;

    private final StringBuilder page = new StringBuilder();

    ManualPage(String version, String date) {
        page.append(".TH FACET 1 \"").append(date).append("\" \"");
        page.append(escape(version)).append("\" \"User Commands\"\n");
        page.append(
                """
                .SH NAME
                facet \\- every container its own slice of a GPU
                .SH SYNOPSIS
                .B facet
                .I COMMAND
                .RI [ ARGUMENTS ]
                .SH DESCRIPTION
                Gives programs and containers slices of a GPU: so much memory, so much compute. CUDA programs run unchanged.
                .PP
                The daemon has the devices. Every command has the option
                .BR \\-\\-help .
                .SH COMMANDS
                """);
    }

    /** A command whose help is a text. */
    void text(String name, String help) {
        heading(name);
        literal(help.strip().lines().toList());
    }

    void commands(CommandLine parent) {
        Set<CommandLine> seen = new HashSet<>(); // a command has several names
        for (CommandLine each : parent.getSubcommands().values()) {
            CommandSpec spec = each.getCommandSpec();
            if (!spec.usageMessage().hidden() && seen.add(each)) {
                command(spec);
                commands(each);
            }
        }
    }

    String finish() {
        return page + END;
    }

    private void command(CommandSpec spec) {
        heading(spec.qualifiedName(" "));
        Help help = new Help(spec, Help.defaultColorScheme(Help.Ansi.OFF));
        page.append(".B ").append(escape(words(help.synopsis(0)))).append("\n.PP\n");
        page.append(escape(words(String.join(" ", spec.usageMessage().description()))));
        page.append('\n');
        for (PositionalParamSpec each : spec.positionalParameters()) {
            entry(each.paramLabel(), each.description());
        }
        for (OptionSpec each : spec.options()) {
            if (!each.hidden() && !each.usageHelp() && !each.versionHelp()) {
                String label = each.arity().max() == 0 ? "" : " " + each.paramLabel();
                entry(String.join(", ", each.names()) + label, each.description());
            }
        }
        List<String> examples = List.of(spec.usageMessage().footer());
        if (!examples.isEmpty()) {
            page.append(".PP\nExamples:\n.PP\n");
            literal(examples);
        }
    }

    private void heading(String name) {
        page.append(".SS ").append(escape(name)).append('\n');
    }

    private void entry(String label, String[] description) {
        page.append(".TP\n.B ").append(escape(label)).append('\n');
        page.append(escape(words(String.join(" ", description)))).append('\n');
    }

    private void literal(List<String> lines) {
        page.append(".nf\n");
        lines.stream()
                .flatMap(line -> Stream.of(line.split("\n", -1)))
                .map(ManualPage::escape)
                .forEach(line -> page.append(line).append('\n'));
        page.append(".fi\n");
    }

    /** A text as one line, without picocli's line ends. */
    private static String words(String text) {
        return Arrays.stream(text.replace("%n", " ").replace("%%", "%").strip().split("\\s+", -1))
                .collect(Collectors.joining(" "));
    }

    private static String character(int code) {
        return code < 128 ? Character.toString(code) : String.format("\\[u%04X]", code);
    }

    /** A dash that can be copied, and nothing that is taken for an order. */
    private static String escape(String text) {
        String plain =
                text.replace("\\", "\\e")
                        .replace("-", "\\-")
                        .codePoints()
                        .mapToObj(ManualPage::character)
                        .collect(Collectors.joining());
        return plain.startsWith(".") || plain.startsWith("'") ? "\\&" + plain : plain;
    }
}
