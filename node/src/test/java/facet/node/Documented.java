package facet.node;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Tables of the documentation. */
final class Documented {
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");

    private final List<String> lines;

    Documented(String file) throws IOException {
        lines = Files.readAllLines(Path.of("../docs").resolve(file));
    }

    /** Lines of the table below a line that begins so. */
    private List<String> table(String title) {
        List<String> table = new ArrayList<>();
        boolean inside = false;
        for (String line : lines) {
            if (line.startsWith(title)) {
                inside = true;
            } else if (inside && (line.startsWith("**") || line.startsWith("#"))) {
                break;
            } else if (inside && line.startsWith("| `")) {
                table.add(line);
            }
        }
        if (table.isEmpty()) {
            throw new AssertionError("there is no table below '" + title + "'");
        }
        return table;
    }

    private static Set<String> codes(String cell) {
        Set<String> codes = new TreeSet<>();
        Matcher matcher = CODE.matcher(cell);
        while (matcher.find()) {
            codes.add(matcher.group(1));
        }
        return codes;
    }

    private static String cell(String line, int number) {
        return line.split("(?<!\\\\)\\|", -1)[number + 1];
    }

    /** All names of the first column. */
    Set<String> names(String title) {
        Set<String> names = new TreeSet<>();
        table(title).forEach(line -> names.addAll(codes(cell(line, 0))));
        return names;
    }

    /** Names in the second column of one line. */
    Set<String> namesBehind(String title, String name) {
        for (String line : table(title)) {
            if (codes(cell(line, 0)).contains(name)) {
                return codes(cell(line, 1));
            }
        }
        throw new AssertionError("'" + title + "' has no " + name);
    }

    /** All lines of all tables whose first cell is a name that begins so: cells as they are. */
    List<List<String>> rows(Pattern first) {
        List<List<String>> rows = new ArrayList<>();
        for (String line : lines) {
            if (line.startsWith("| `") && first.matcher(line).find()) {
                List<String> cells = new ArrayList<>();
                for (String each : line.split("\\|", -1)) {
                    cells.add(each.strip());
                }
                rows.add(cells.subList(1, cells.size() - 1));
            }
        }
        return rows;
    }

    /** What stands between the fences below a title. */
    List<String> fenced(String title) {
        List<String> found = new ArrayList<>();
        boolean below = false;
        boolean inside = false;
        for (String line : lines) {
            below = below || line.equals(title);
            if (below && line.startsWith("```")) {
                if (inside) {
                    return found;
                }
                inside = true;
            } else if (inside) {
                found.add(line);
            }
        }
        throw new AssertionError("nothing is fenced below " + title);
    }
}
