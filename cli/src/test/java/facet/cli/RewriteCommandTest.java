package facet.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

final class RewriteCommandTest {
    private static final String TEXT =
            """
            .version 8.0
            .target sm_80
            .address_size 64
            .visible .entry good(.param .u64 p) { .reg .u32 %r; mov.u32 %r, %ctaid.x; ret; }
            .visible .entry bad() { .reg .u32 %r; mov.u32 %r, %smid; ret; }
            """;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir private Path directory = Path.of("");

    private int run(String text, String... options) throws IOException {
        Path file = directory.resolve("a.ptx");
        Files.writeString(file, text);
        String[] arguments = new String[options.length + 2];
        arguments[0] = "rewrite";
        arguments[1] = file.toString();
        System.arraycopy(options, 0, arguments, 2, options.length);
        CommandLine facet = Main.commandLine();
        facet.setOut(new PrintWriter(out));
        facet.setErr(new PrintWriter(err));
        return facet.execute(arguments);
    }

    @Test
    void printsTheTextAndWhatStaysWhole() throws IOException {
        assertEquals(0, run(TEXT), err::toString);
        assertTrue(out.toString().contains(".visible .entry good("), out::toString);
        assertTrue(out.toString().contains("facet0_hidden[24]"), out::toString);
        assertEquals(
                "facet: bad is not rewritten: line 5, column 39: reads %smid: what it makes of that"
                        + " depends on all blocks being there\n",
                err.toString());
    }

    @Test
    void tellsProgramsWhatIsWhere() throws IOException {
        assertEquals(0, run(TEXT, "-o", "json", "--form", "persistent"), err::toString);
        JsonNode answer = new ObjectMapper().readTree(out.toString());
        JsonNode kernel = answer.path("kernels").path(0);
        assertEquals("good", kernel.path("name").asText());
        assertEquals("persistent", kernel.path("form").asText());
        assertEquals(8, kernel.path("hiddenOffset").asInt());
        assertEquals(24, kernel.path("hiddenBytes").asInt());
        JsonNode refused = answer.path("refused").path(0);
        assertEquals("bad", refused.path("kernel").asText());
        assertEquals(5, refused.path("line").asInt());
        assertTrue(answer.path("ptx").asText().contains("$facet0_next:"));
        assertEquals("", err.toString());
    }

    @Test
    void oneKernelAlone() throws IOException {
        assertEquals(0, run(TEXT, "--kernel", "good"));
        assertEquals("", err.toString());
        assertEquals(1, run(TEXT, "--kernel", "nobody"));
        assertTrue(err.toString().endsWith("a.ptx has no kernel 'nobody'\n"), err::toString);
    }

    @Test
    void whatIsNoPtx() throws IOException {
        assertEquals(1, run("hello\u001b[2J"));
        assertTrue(err.toString().contains("a.ptx: line 1, column 1: expected '.version'"));
        assertEquals(2, run(TEXT, "--form", "halves"));
        assertTrue(err.toString().contains("see 'facet rewrite --help'"), err::toString);
    }
}
