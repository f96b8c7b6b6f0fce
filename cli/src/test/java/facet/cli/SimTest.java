package facet.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

final class SimTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir private Path folder = Path.of("");

    private int run(String... arguments) {
        CommandLine facet = Main.commandLine();
        facet.setOut(new PrintWriter(out));
        facet.setErr(new PrintWriter(err));
        return facet.execute(arguments);
    }

    /** Ten devices and halves of them: all policies but chance fill it. */
    @BeforeEach
    void writeTrace() throws IOException {
        StringBuilder nodes = new StringBuilder("name,model,devices,cpu_milli,memory_mib\n");
        StringBuilder tasks =
                new StringBuilder(
                        "name,devices,thousandths,model,cpu_milli,memory_mib,arrives,leaves\n");
        for (int i = 0; i < 5; i++) {
            nodes.append("n" + i + ",T4,2,64000,65536\n");
        }
        for (int i = 0; i < 40; i++) {
            tasks.append("t%d,1,500,,1000,1024,%d,%d%n".formatted(i, i, i + 100));
        }
        Files.writeString(folder.resolve("nodes.csv"), nodes);
        Files.writeString(folder.resolve("tasks.csv"), tasks);
    }

    @Test
    void comparesPolicies() {
        assertEquals(
                0,
                run("sim", "--trace", folder.toString(), "--compare", "fgd", "--seeds", "1-2"),
                err::toString);
        assertEquals(
                """
                POLICY  RUNS  ALLOCATED %   LEAST    MOST  PLACED  OF
                facet      2       100.00  100.00  100.00      40  52
                fgd        2       100.00  100.00  100.00      40  52
                """,
                out.toString());
        assertTrue(err.toString().contains("4 of 4: fgd, seed 2"), err::toString);
    }

    @Test
    void helpHasExamples() {
        assertEquals(0, run("sim", "--help"));
        assertTrue(out.toString().contains("--until 110% -o json"), out::toString);
    }

    @Test
    void answersInJson() throws IOException {
        assertEquals(0, run("sim", "--trace", folder.toString(), "-o", "json"), err::toString);
        JsonNode result = new ObjectMapper().readTree(out.toString());
        assertEquals("facet", result.at("/0/policy").asText());
        assertEquals(100, result.at("/0/allocation").asDouble());
        assertEquals(131, result.at("/0/fillings/0/curve").size());
    }

    @Test
    void tasksWaitWhereTheyLeave() {
        assertEquals(
                0,
                run("sim", "--trace", folder.toString(), "--departures", "--until", "400%"),
                err::toString);
        // 20 devices are asked for at most, so two nodes stay, with four: eight halves at a time,
        // and each of the other 32 tasks waits.
        assertTrue(
                out.toString()
                        .matches(
                                "(?s)POLICY.*\nfacet +42 +2 +.* 32 +100\\.00 +0 +0 +0 +0 +0\\.00\n"),
                out::toString);
    }

    @Test
    void rulesSayWhatIsDoneForThoseThatWait() {
        for (String rules : List.of("plain", "reserve", "preempt", "move")) {
            assertEquals(
                    0,
                    run("sim", "--trace", folder.toString(), "--departures", "--rules", rules),
                    err::toString);
        }
        assertEquals(
                2, run("sim", "--trace", folder.toString(), "--departures", "--rules", "none"));
        assertTrue(
                err.toString().contains("there are plain, reserve, preempt, move"), err::toString);
    }

    @Test
    void takesPoliciesFromFiles() throws IOException {
        Path policy = folder.resolve("mine.policy");
        Files.writeString(policy, "score best-fit 1\n");
        assertEquals(
                0,
                run("sim", "--trace", folder.toString(), "--policy", policy.toString()),
                err::toString);
        Files.writeString(policy, "score best-fitting 1\n");
        assertEquals(1, run("sim", "--trace", folder.toString(), "--policy", policy.toString()));
        assertTrue(err.toString().contains("line 1: there is no score 'best-fitting'"));
    }

    @Test
    void writesAReportWithAllPlots() throws IOException {
        Path other = Files.createDirectory(folder.resolve("x"));
        Path report = folder.resolve("report.html");
        assertEquals(
                0,
                run(
                        "sim",
                        "--trace",
                        folder.toString(),
                        "--compare",
                        "fgd",
                        "--report",
                        report.toString()),
                err::toString);
        assertTrue(err.toString().contains("4 of 4: fgd, seed 42, with departures"), err::toString);
        String page = Files.readString(report);
        JsonNode data = data(page);
        assertEquals("fgd", data.at("/fillings/1/policy").asText());
        assertEquals(131, data.at("/fillings/1/allocation").size());
        assertEquals(131, data.at("/fillings/1/fragmentation").size());
        assertEquals(101, data.at("/replays/0/waits").size());
        assertEquals(200, data.at("/replays/0/course").size());
        assertFalse(page.contains("src="), "it needs no other file");
        assertFalse(page.contains("{{"), "all is filled in");
        assertEquals(1, run("sim", "--trace", folder.toString(), "--report", other.toString()));
        assertTrue(err.toString().contains("the report cannot be written"), err::toString);
    }

    private static JsonNode data(String page) throws IOException {
        int start = page.indexOf("id=\"data\">") + "id=\"data\">".length();
        return new ObjectMapper().readTree(page.substring(start, page.indexOf("</script", start)));
    }

    /** Names in a trace are a stranger's. */
    @Test
    void namesDoNotBreakOutOfAReport() throws IOException {
        String name = "<!--<script>alert(1)</script>";
        SimReport report = new SimReport(name, 1, 1, 1, "1", "130%", name, List.of(), List.of());
        assertEquals(name, data(report.page()).path("trace").asText());
        assertFalse(report.page().contains("alert(1)</script>"));
    }

    @Test
    void simulatesADayOfSharedDevices() throws IOException {
        assertEquals(0, run("sim", "--shape", "development", "-o", "json"), err::toString);
        JsonNode day = new ObjectMapper().readTree(out.toString()).path(0);
        assertTrue(day.path("after").asDouble() >= 35, out::toString);
        assertTrue(day.path("worstAfter").asDouble() <= 200, out::toString);
        assertEquals(2, run("sim", "--shape", "development", "--departures"));
        assertEquals(2, run("sim", "--shape", "none"));
    }

    @Test
    void nodesFailAndComeBack() throws IOException {
        assertEquals(
                0,
                run(
                        "sim",
                        "--trace",
                        folder.toString(),
                        "--departures",
                        "--failures",
                        "20s/10s",
                        "-o",
                        "json"),
                err::toString);
        JsonNode replay = new ObjectMapper().readTree(out.toString()).path(0);
        assertTrue(replay.path("failures").asInt() > 0, out::toString);
        assertEquals(0, replay.path("never").asInt());
        assertEquals(2, run("sim", "--trace", folder.toString(), "--failures", "20s/10s"));
        assertEquals(
                2, run("sim", "--trace", folder.toString(), "--departures", "--failures", "often"));
    }

    @Test
    void saysWhatIsWrong() throws IOException {
        assertEquals(2, run("sim"));
        assertEquals(2, run("sim", "--trace", folder.toString(), "--until", "1.3"));
        assertEquals(2, run("sim", "--trace", folder.toString(), "--seeds", "9-1"));
        assertEquals(1, run("sim", "--trace", folder.toString(), "--policy", "none"));
        assertTrue(err.toString().contains("policies are facet, fgd"), err::toString);
        Files.delete(folder.resolve("nodes.csv"));
        assertEquals(1, run("sim", "--trace", folder.toString()));
        assertTrue(err.toString().contains("has no nodes.csv"), err::toString);
    }
}
