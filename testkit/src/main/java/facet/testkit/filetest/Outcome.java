package facet.testkit.filetest;

import java.util.List;

/**
 * What came of a file.
 *
 * @param edits lines that would make the file pass
 */
public record Outcome(List<Mismatch> mismatches, List<Edit> edits) {
    /**
     * @param line of the file, from 1
     */
    public record Mismatch(int line, String expected, String got) {
        @Override
        public String toString() {
            return line + ": expected " + expected + ", got " + got;
        }
    }

    /** Replaces {@code count} lines from {@code line}, which counts from 1. */
    public record Edit(int line, int count, List<String> replacement) {}

    public boolean passed() {
        return mismatches.isEmpty();
    }
}
