package facet.testkit.filetest;

import facet.testkit.filetest.Filetest.Expectation;
import facet.testkit.filetest.Filetest.PrintExpectation;
import facet.testkit.filetest.Filetest.Step;
import facet.testkit.filetest.Outcome.Edit;
import facet.testkit.filetest.Outcome.Mismatch;
import java.util.ArrayList;
import java.util.List;

/** Expected against computed, and the lines that say what was computed. */
final class Comparison {
    private static final int COLUMNS = 100;
    private static final String INDENT = "//     ";

    private Comparison() {}

    static void values(
            Expectation expectation,
            ElementType type,
            long[] actual,
            List<Mismatch> mismatches,
            List<Edit> edits) {
        String found = difference(expectation, type, actual);
        if (found.isEmpty()) {
            return;
        }
        String name = expectation.name();
        mismatches.add(
                new Mismatch(
                        expectation.line(),
                        name + " = " + expectation.values().strip(),
                        name + " = " + Values.format(type, actual) + " (" + found + ")"));
        String tolerance = expectation.tolerance().text();
        String start = "// expect: " + name + (tolerance.isEmpty() ? "" : " " + tolerance) + " = ";
        edits.add(
                new Edit(
                        expectation.line(),
                        expectation.lines(),
                        wrap(start + Values.format(type, actual))));
    }

    /** The first element that differs, in words; empty when none does. */
    private static String difference(Expectation expectation, ElementType type, long[] actual) {
        List<String> literals;
        try {
            literals = Values.literals(expectation.values(), actual.length);
        } catch (IllegalArgumentException e) {
            return String.valueOf(e.getMessage());
        }
        for (int i = 0; i < actual.length; i++) {
            if (!Values.matches(type, literals.get(i), actual[i], expectation.tolerance())) {
                return "at " + i + ": " + literals.get(i) + " against " + type.format(actual[i]);
            }
        }
        return "";
    }

    static void prints(Step step, String printed, List<Mismatch> mismatches, List<Edit> edits) {
        List<String> expected = step.prints().stream().map(PrintExpectation::text).toList();
        List<String> actual = printed.lines().toList();
        if (expected.equals(actual)) {
            return;
        }
        int line = step.prints().isEmpty() ? step.line() : step.prints().getFirst().line();
        mismatches.add(new Mismatch(line, "output " + expected, "output " + actual));
        List<String> lines = actual.stream().map(each -> "// expect-print: " + each).toList();
        if (step.prints().isEmpty()) {
            edits.add(new Edit(step.line() + 1, 0, lines));
            return;
        }
        edits.add(new Edit(line, 1, lines));
        for (PrintExpectation each : step.prints().subList(1, step.prints().size())) {
            edits.add(new Edit(each.line(), 1, List.of()));
        }
    }

    private static List<String> wrap(String text) {
        List<String> lines = new ArrayList<>();
        String rest = text;
        while (rest.length() > COLUMNS) {
            int blank = rest.lastIndexOf(' ', COLUMNS);
            if (blank <= INDENT.length()) {
                break;
            }
            lines.add(rest.substring(0, blank));
            rest = INDENT + rest.substring(blank + 1);
        }
        lines.add(rest);
        return lines;
    }
}
