package facet.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

final class CommandLineTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        CommandLine facet = Main.commandLine();
        facet.setOut(new PrintWriter(out));
        facet.setErr(new PrintWriter(err));
        return facet.execute(arguments);
    }

    @Test
    void demoShowsPictureFiguresAndFault() {
        assertEquals(0, run("demo", "--width", "32"), err::toString);
        String text = out.toString();
        assertTrue(text.contains("@@@"), text);
        assertTrue(text.contains("first launch"), text);
        assertTrue(text.contains("ILLEGAL_ADDRESS (700)"), text);
        assertTrue(text.contains("all are right"), text);
    }

    @Test
    void demoAsJson() throws Exception {
        assertEquals(
                0, run("demo", "--width", "16", "--workers", "1", "-o", "json"), err::toString);
        JsonNode json = new ObjectMapper().readTree(out.toString());
        assertEquals("mandelbrot", json.at("/rendering/kernel").asText());
        assertEquals(1, json.at("/rendering/workers").asInt());
        assertEquals(700, json.at("/isolation/errorCode").asInt());
    }

    @Test
    void helpHasExamples() {
        assertEquals(0, run("demo", "--help"));
        assertTrue(out.toString().contains("facet demo -o json"), out::toString);
    }

    @Test
    void wrongUsageIsTwo() {
        assertEquals(2, run());
        assertEquals(2, run("dmeo"));
        assertEquals(2, run("demo", "--width", "3"));
        assertEquals(2, run("demo", "-o", "xml"));
    }

    @Test
    void completionKnowsTheCommands() {
        assertEquals(0, run("completion"));
        assertTrue(out.toString().contains("demo"), out::toString);
        assertTrue(out.toString().contains("--workers"), out::toString);
    }
}
