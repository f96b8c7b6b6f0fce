package facet.testkit.filetest;

import facet.testkit.filetest.Outcome.Edit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Puts what was computed in place of what was expected. */
public final class Bless {
    private Bless() {}

    public static String apply(String text, List<Edit> edits) {
        List<String> lines = new ArrayList<>(text.lines().toList());
        List<Edit> fromTheEnd =
                edits.stream().sorted(Comparator.comparingInt(Edit::line).reversed()).toList();
        for (Edit edit : fromTheEnd) {
            int first = edit.line() - 1;
            lines.subList(first, first + edit.count()).clear();
            lines.addAll(first, edit.replacement());
        }
        return String.join("\n", lines) + "\n";
    }
}
