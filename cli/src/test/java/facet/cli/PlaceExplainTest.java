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
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

final class PlaceExplainTest {
    private static final String ANSWER =
            """
            {"ok":true,"slice":"train","onDevices":[1],"placed":"least promised: device 1",\
            "fits":1,"chosen":[0],"why":"least promised: device 0","summary":\
            ["1 device has room for it","1 device has the memory, but no 300/1000 of compute: the\
             largest rest is 250"],"devices":[{"device":0,"fits":true,"lack":"nothing",\
            "memory":1073741824,"memoryPromised":0,"timeRest":100,"words":"fits"},{"device":1,\
            "fits":false,"lack":"time","memory":1073741824,"memoryPromised":536870912,\
            "timeRest":25,"words":"has the memory"}]}\
            """;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir private Path folder = Path.of("");

    private int run(String... arguments) {
        CommandLine facet = Main.commandLine();
        facet.setOut(new PrintWriter(out));
        facet.setErr(new PrintWriter(err));
        return facet.execute(arguments);
    }

    /** Four devices of which no request of the trace leaves more than a quarter. */
    private void writeTrace() throws IOException {
        Files.writeString(
                folder.resolve("nodes.csv"),
                """
                name,model,devices,cpu_milli,memory_mib
                a,T4,2,64000,65536
                b,V100,2,64000,65536
                """);
        Files.writeString(
                folder.resolve("tasks.csv"),
                """
                name,devices,thousandths,model,cpu_milli,memory_mib
                large,1,750,,1000,1024
                larger,1,750,,1000,1024
                """);
    }

    @Test
    void tellsWhereASliceIsAndWhereItWouldGo() throws IOException {
        try (FakeDaemon daemon = new FakeDaemon(folder, Map.of("explain", ANSWER))) {
            assertEquals(
                    0,
                    run("place", "explain", "train", "--runtime-dir", folder.toString()),
                    err::toString);
            assertEquals(List.of("explain name=train"), daemon.asked);
        }
        assertEquals(
                """
                slice 'train' is on device 1
                it came there: least promised: device 1
                as things are now it would go on device 0
                1 device has room for it
                1 device has the memory, but no 300/1000 of compute: the largest rest is 250

                DEVICE  MEMORY  PROMISED  TIME LEFT  FOR IT
                     0   1 GiB       0 B      100 %  fits
                     1   1 GiB   512 MiB       25 %  has the memory
                """,
                out.toString());
    }

    @Test
    void asksForOneThatIsNotThere() throws IOException {
        try (FakeDaemon daemon = new FakeDaemon(folder, Map.of("explain", ANSWER))) {
            assertEquals(
                    0,
                    run(
                            "place",
                            "explain",
                            "--memory",
                            "4GiB",
                            "--compute",
                            "30",
                            "-o",
                            "json",
                            "--runtime-dir",
                            folder.toString()),
                    err::toString);
            assertEquals(List.of("explain memory=4GiB compute=30"), daemon.asked);
        }
        JsonNode json = new ObjectMapper().readTree(out.toString());
        assertEquals(25, json.at("/devices/1/timeRest").asInt());
        assertTrue(json.path("ok").isMissingNode());
    }

    @Test
    void explainsARequestOnATrace() throws IOException {
        writeTrace();
        String trace = folder.toString();
        assertEquals(
                0,
                run(
                        "place",
                        "explain",
                        "--trace",
                        trace,
                        "--filled",
                        "75%",
                        "--thousandths",
                        "300"),
                err::toString);
        assertEquals(
                """
                tasks: 2 nodes with 4 devices, 75.0 % in use by requests of the trace (facet, seed\
                 42)
                it fits nowhere
                4 devices have no 300/1000 of compute: the largest rest is 250
                """,
                out.toString());
    }

    @Test
    void showsWhatPlacesCost() throws IOException {
        writeTrace();
        String trace = folder.toString();
        assertEquals(
                0,
                run("place", "explain", "--trace", trace, "--filled", "20%", "--task", "large"),
                err::toString);
        assertTrue(out.toString().contains("it fits on 3 devices of 2 nodes"), out::toString);
        assertTrue(
                out.toString()
                        .matches("(?s).*NODE +MODEL +ON +FREE +COST +fragmentation +.*best-fit.*"),
                out::toString);
    }

    @Test
    void saysWhatIsWrong() throws IOException {
        writeTrace();
        String trace = folder.toString();
        assertEquals(2, run("place"));
        assertEquals(2, run("place", "explain"));
        assertEquals(2, run("place", "explain", "a", "--trace", trace));
        assertEquals(2, run("place", "explain", "--thousandths", "3"));
        assertEquals(2, run("place", "explain", "--trace", trace, "--thousandths", "3000"));
        assertEquals(2, run("place", "explain", "--trace", trace, "--filled", "much"));
        assertEquals(2, run("place", "explain", "--trace", trace, "--cpu", "NaN"));
        assertEquals(1, run("place", "explain", "--trace", trace, "--model", "H200"));
        assertTrue(err.toString().contains("it has T4, V100"), err::toString);
        assertEquals(1, run("place", "explain", "--trace", trace, "--task", "none"));
        assertTrue(err.toString().contains("has no task 'none'"), err::toString);
        assertEquals(1, run("place", "explain", "a", "--runtime-dir", trace));
        assertTrue(err.toString().contains("facet up"), err::toString);
    }
}
