package facet.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import facet.cli.doctor.Finding;
import facet.cli.doctor.Finding.Grade;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

final class DoctorTest {
    private static final List<Finding> FINDINGS =
            List.of(
                    new Finding("system", Grade.GOOD, "Linux 6.12", ""),
                    new Finding("cdi", Grade.NOTE, "no file names device 1", "write one"),
                    new Finding("daemon", Grade.PROBLEM, "no daemon answers", "'facet up'"));

    @TempDir private Path directory = Path.of("");

    @Test
    void aLineAFindingAndWhatToDoBelowIt() {
        assertEquals(
                """
                ok        system      Linux 6.12
                note      cdi         no file names device 1
                                      -> write one
                problem   daemon      no daemon answers
                                      -> 'facet up'
                1 problem
                """,
                Doctor.text(FINDINGS));
        assertEquals(
                "ok        system      Linux 6.12\nnothing is in the way\n",
                Doctor.text(FINDINGS.subList(0, 1)));
    }

    @Test
    void theExitCodeSaysWhetherThereIsAProblem() throws Exception {
        StringWriter out = new StringWriter();
        CommandLine facet = Main.commandLine();
        facet.setOut(new PrintWriter(out));
        int code = facet.execute("doctor", "-o", "json", "--runtime-dir", directory.toString());
        JsonNode answer = new ObjectMapper().readTree(out.toString());
        assertEquals(1, code);
        assertEquals("problem", daemonGrade(answer), answer::toString);
        long problems =
                StreamSupport.stream(answer.path("findings").spliterator(), false)
                        .filter(each -> each.path("grade").asText().equals("problem"))
                        .count();
        assertEquals(problems, answer.path("problems").asLong());
    }

    @Test
    void theDaemonIsAsked() throws Exception {
        StringWriter out = new StringWriter();
        CommandLine facet = Main.commandLine();
        facet.setOut(new PrintWriter(out));
        Map<String, String> answers =
                Map.of(
                        "status", "{\"ok\":true,\"pid\":7,\"devices\":1,\"slices\":2}",
                        "devices", "{\"ok\":true,\"devices\":[{\"device\":0}]}");
        try (FakeDaemon daemon = new FakeDaemon(directory, answers)) {
            facet.execute("doctor", "-o", "json", "--runtime-dir", directory.toString());
            assertEquals(List.of("status", "devices"), daemon.asked);
        }
        assertEquals("ok", daemonGrade(new ObjectMapper().readTree(out.toString())));
    }

    private static String daemonGrade(JsonNode answer) {
        return StreamSupport.stream(answer.path("findings").spliterator(), false)
                .filter(each -> each.path("about").asText().equals("daemon"))
                .findFirst()
                .orElseThrow()
                .path("grade")
                .asText();
    }
}
