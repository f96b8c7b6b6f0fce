package facet.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

final class ManualTest {
    @TempDir private Path folder;

    private String page() throws IOException {
        Path text = folder.resolve("run.txt");
        Files.writeString(text, "Usage: facet run\n\n.hidden 'quoted' a\\b – c\n");
        StringWriter out = new StringWriter();
        CommandLine command = Main.commandLine().setOut(new PrintWriter(out));
        assertEquals(0, command.execute("manual", "--date", "2026-11-16", "--text", "run=" + text));
        return out.toString();
    }

    private static List<CommandLine> commands(CommandLine parent) {
        List<CommandLine> all = new ArrayList<>();
        for (CommandLine each : parent.getSubcommands().values()) {
            if (!each.getCommandSpec().usageMessage().hidden()) {
                all.add(each);
                all.addAll(commands(each));
            }
        }
        return all;
    }

    @Test
    void hasEveryCommandAndOption() throws IOException {
        String page = page();
        for (CommandLine each : commands(Main.commandLine())) {
            String name = each.getCommandSpec().qualifiedName(" ");
            assertTrue(page.contains(".SS " + name.replace("-", "\\-") + "\n"), name);
            each.getCommandSpec()
                    .options()
                    .forEach(option ->
                            assertTrue(
                                    option.usageHelp()
                                            || option.versionHelp()
                                            || page.contains(
                                                    option.longestName().replace("-", "\\-")),
                                    name + " " + option.longestName()));
        }
        assertFalse(page.contains("facet manual"), "the command that prints it is for the package");
    }

    @Test
    void textIsNoOrder() throws IOException {
        String page = page();
        assertTrue(page.contains("\n.SS facet run\n"));
        assertTrue(page.contains("\n\\&.hidden 'quoted' a\\eb \\[u2013] c\n"), page);
        assertTrue(page.chars().allMatch(each -> each < 128), "man reads ASCII");
    }
}
