package facet.testkit.filetest;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class CoverageTest {
    /** Everything that the instruction table accepts is run by some file. */
    @Test
    void everyFormAndSuffixOccurs() throws IOException {
        Set<String> missing = InstructionPage.coverage(Filetests.root()).missing();
        assertEquals("", String.join("\n", missing), missing.size() + " are missing");
    }

    @Test
    void thePageOfAllInstructionsIsTrue() throws IOException {
        Path page = Filetests.root().resolveSibling(InstructionPage.PLACE);
        assertEquals(
                InstructionPage.text(InstructionPage.coverage(Filetests.root())),
                Files.readString(page),
                "write it anew: ./facet bless");
    }

    /** Prints what is missing. */
    public static void main(String[] args) throws IOException {
        InstructionPage.coverage(Filetests.root()).missing().forEach(System.out::println);
    }
}
