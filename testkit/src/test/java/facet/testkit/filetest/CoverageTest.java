package facet.testkit.filetest;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Set;
import org.junit.jupiter.api.Test;

final class CoverageTest {
    /** Everything that the instruction table accepts is run by some file. */
    @Test
    void everyFormAndSuffixOccurs() {
        Set<String> missing = missing();
        assertEquals("", String.join("\n", missing), missing.size() + " are missing");
    }

    private static Set<String> missing() {
        Coverage coverage = new Coverage();
        Filetests.all().stream()
                .map(Filetests::read)
                .filter(text -> text.startsWith("// test: run"))
                .forEach(coverage::add);
        return coverage.missing();
    }

    /** Prints what is missing. */
    public static void main(String[] args) {
        missing().forEach(System.out::println);
    }
}
