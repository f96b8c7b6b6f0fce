package facet.abi.generate;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;

/** untested.table: supported calls that no test makes by their name. It only gets shorter. */
final class Untested {
    private static final String START =
            """
            # Supported calls that no test names, from before tests were asked for. The generator removes those that have got one,
            # and adds none: a call that becomes supported comes with a test. Many of them are one line over another call that is
            # tested, an older version of one, or an answer that is a constant.

            """;

    private Untested() {}

    static List<String> read(Path file) throws IOException {
        return Files.readAllLines(file).stream()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .toList();
    }

    /** The table without those that have a test by now. */
    static String text(Collection<String> known, Collection<String> untested) {
        TreeSet<String> left = new TreeSet<>(known);
        left.retainAll(untested);
        return START + String.join("\n", left) + "\n";
    }
}
