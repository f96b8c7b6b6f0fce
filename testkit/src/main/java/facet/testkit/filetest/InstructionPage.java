package facet.testkit.filetest;

import facet.ptx.Form;
import facet.ptx.InstructionTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Collectors;

/** docs/instruction-coverage.md: every form of an instruction, and files that run it. */
final class InstructionPage {
    /** Below the folder that {@code filetests} is in. */
    static final String PLACE = "docs/instruction-coverage.md";

    /** How many files of a form are listed. */
    private static final int MOST_LISTED = 2;

    private static final String START =
            """
            # Which instructions are supported

            Generated from the tables in `ptx/src/main/resources/facet/ptx` and from `filetests`; do not edit, `./facet bless` writes it. The head of
            `instructions.table` explains the notation. What is in no line is refused when a module is loaded; [instructions.md](instructions.md) has
            what is refused by name. Behind each form stand files of [filetests](../filetests/README.md) that run it, two at most;
            `CoverageTest` looks that each form, suffix and type occurs in one.

            | manual | form | files |
            |---|---|---|
            """;

    private InstructionPage() {}

    /** What all files of a folder have. */
    static Coverage coverage(Path filetests) throws IOException {
        Coverage coverage = new Coverage();
        for (Path each : FiletestMain.files(filetests)) {
            String text = Files.readString(each);
            if (text.startsWith("// test: run")) {
                coverage.add(filetests.relativize(each).toString(), text);
            }
        }
        return coverage;
    }

    static String text(Coverage coverage) {
        StringBuilder page = new StringBuilder(START);
        for (Form form : InstructionTable.forms()) {
            String files =
                    coverage.files(form).stream()
                            .sorted(Comparator.comparing(each -> !isAbout(form, each)))
                            .limit(MOST_LISTED)
                            .map(each -> each.replaceFirst("\\.ptx$", ""))
                            .collect(Collectors.joining(", "));
            String written = form.text().replaceAll("\\s+", " ").replace("|", "\\|");
            page.append("| ").append(form.section()).append(" | `").append(written);
            page.append("` | ").append(files.isEmpty() ? "no test" : files).append(" |\n");
        }
        return page.toString();
    }

    /** Whether a file's name begins with that of the instruction: integer/add_sat. */
    private static boolean isAbout(Form form, String file) {
        return file.substring(file.lastIndexOf('/') + 1).startsWith(form.opcode().text());
    }

    /** Writes the page where it is not so. */
    static boolean write(Path filetests, Path file) throws IOException {
        String text = text(coverage(filetests));
        if (Files.exists(file) && Files.readString(file).equals(text)) {
            return false;
        }
        Files.writeString(file, text);
        return true;
    }
}
