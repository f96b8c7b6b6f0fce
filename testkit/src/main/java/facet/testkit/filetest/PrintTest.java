package facet.testkit.filetest;

import facet.testkit.filetest.Outcome.Edit;
import facet.testkit.filetest.Outcome.Mismatch;
import java.util.List;
import java.util.stream.Stream;

/**
 * A file whose first line is {@code // test: print PASS}. What the pass makes of it is below the
 * PTX, behind the line {@code // prints:}, to the end of the file.
 */
final class PrintTest {
    private static final String FIRST = "// test: print ";
    private static final String PRINTS = "// prints:";
    private static final String PREFIX = "// ";

    private PrintTest() {}

    static boolean is(String text) {
        return text.startsWith(FIRST);
    }

    static Outcome run(String text) {
        List<String> lines = text.lines().toList();
        List<String> got = PassPrinter.print(lines.getFirst().substring(FIRST.length()), text);
        int prints = lines.lastIndexOf(PRINTS);
        // Without the line, what is printed goes to the end.
        int start = prints < 0 ? lines.size() : prints + 1;
        List<String> expected =
                lines.subList(start, lines.size()).stream().map(PrintTest::strip).toList();
        if (prints >= 0 && expected.equals(got)) {
            return new Outcome(List.of(), List.of());
        }
        int same = 0;
        while (same < Math.min(expected.size(), got.size())
                && expected.get(same).equals(got.get(same))) {
            same++;
        }
        Mismatch mismatch =
                new Mismatch(start + same + 1, lineOf(expected, same), lineOf(got, same));
        List<String> blessed = got.stream().map(each -> (PREFIX + each).stripTrailing()).toList();
        Edit edit =
                prints < 0
                        ? new Edit(start + 1, 0, concat(List.of("", PRINTS), blessed))
                        : new Edit(start + 1, lines.size() - start, blessed);
        return new Outcome(List.of(mismatch), List.of(edit));
    }

    private static String strip(String line) {
        return line.startsWith(PREFIX) ? line.substring(PREFIX.length()) : line;
    }

    private static String lineOf(List<String> lines, int index) {
        return index < lines.size() ? "'" + lines.get(index).strip() + "'" : "no more lines";
    }

    private static List<String> concat(List<String> first, List<String> second) {
        return Stream.concat(first.stream(), second.stream()).toList();
    }
}
