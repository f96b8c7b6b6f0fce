package facet.cli;

import facet.place.Policies;
import facet.place.Policy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Iterator;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** Policies of placing by name or from files, and other words that commands about placing share. */
final class PolicyFiles {
    /** For completion. */
    static final class Names implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Policies.NAMES.iterator();
        }
    }

    private PolicyFiles() {}

    static Policy read(String name) {
        if (Policies.NAMES.contains(name)) {
            return Policies.named(name);
        }
        try {
            return Policy.parse(name, Files.readString(Path.of(name)));
        } catch (Policy.PolicyException e) {
            throw new CommandFailure(String.valueOf(e.getMessage()), e);
        } catch (IOException | InvalidPathException e) {
            throw new CommandFailure(
                    "there is neither a policy nor a file '"
                            + name
                            + "'; policies are "
                            + String.join(", ", Policies.NAMES),
                    e);
        }
    }

    /** 130% is 1.3. */
    static double percent(CommandLine command, String option, String text) {
        if (!text.matches("[1-9][0-9]{0,3}%")) {
            throw new ParameterException(
                    command, option + " wants percents such as 130%, not '" + text + "'");
        }
        return Integer.parseInt(text.replace("%", "")) / 100.0;
    }
}
