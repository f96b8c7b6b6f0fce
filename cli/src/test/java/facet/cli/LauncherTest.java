package facet.cli;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The script that starts the command line knows its commands. */
final class LauncherTest {
    @Test
    void knowsEveryCommand() throws IOException {
        String script = Files.readString(Path.of("../packaging/launcher.bash"));
        String line =
                script.lines().filter(each -> each.startsWith("cli_commands=")).findFirst().get();
        List<String> known = List.of(line.replaceAll(".*=\"|\"", "").split(" ", -1));
        String help = script.substring(script.indexOf("help_text() {"));
        for (Map.Entry<String, CommandLine> each : Main.commandLine().getSubcommands().entrySet()) {
            if (!each.getValue().getCommandSpec().usageMessage().hidden()) {
                assertTrue(known.contains(each.getKey()), each.getKey() + " is not in " + line);
                assertTrue(help.contains(each.getKey()), each.getKey() + " is not in its help");
            }
        }
        assertTrue(Main.commandLine().getSubcommands().keySet().containsAll(known), line);
    }
}
