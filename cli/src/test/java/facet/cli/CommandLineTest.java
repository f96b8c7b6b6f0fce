package facet.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

final class CommandLineTest {
    private static final String SESSIONS =
            """
            {"ok":true,"sessions":[{"session":7,"slice":"a","pid":12,"program":"train",\
            "memoryUsed":1610612736,"launches":5,"deviceNanos":12000000}]}\
            """;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir private Path directory = Path.of("");

    private int run(String... arguments) {
        CommandLine facet = Main.commandLine();
        facet.setOut(new PrintWriter(out));
        facet.setErr(new PrintWriter(err));
        return facet.execute(arguments);
    }

    @Test
    void tablesHaveOneLineARow() throws Exception {
        try (FakeDaemon daemon = new FakeDaemon(directory, Map.of("sessions", SESSIONS))) {
            assertEquals(0, run("ps", "--runtime-dir", directory.toString()), err::toString);
            assertEquals(List.of("sessions"), daemon.asked);
        }
        assertEquals(
                """
                SESSION  SLICE  PID  PROGRAM   MEMORY  LAUNCHES  DEVICE TIME
                      7  a       12  train    1.5 GiB         5        12 ms
                """,
                out.toString());
    }

    @Test
    void whatProgramsLackedIsListed() throws Exception {
        String rows =
                """
                {"ok":true,"unsupported":[\
                {"slice":"a","kind":"instruction","name":"tex.2d.v4","count":3,"present":true}]}\
                """;
        try (FakeDaemon daemon = new FakeDaemon(directory, Map.of("unsupported", rows))) {
            assertEquals(0, run("ps", "--unsupported", "--runtime-dir", directory.toString()));
            assertEquals(List.of("unsupported"), daemon.asked);
        }
        assertEquals(
                """
                SLICE  KIND         COUNT  NAME
                a      instruction      3  tex.2d.v4
                """,
                out.toString());
    }

    @Test
    void whatPassedWithoutARuleIsAQuestionOfItsOwn() throws Exception {
        String rows =
                """
                {"ok":true,"unsupported":[\
                {"slice":"a","kind":"call","name":"cuGLInit","count":3,"present":true},\
                {"slice":"a","kind":"unruled","name":"cuNew","count":2,"present":true}]}\
                """;
        try (FakeDaemon daemon = new FakeDaemon(directory, Map.of("unsupported", rows))) {
            assertEquals(0, run("ps", "--unruled", "--runtime-dir", directory.toString()));
            assertEquals(0, run("ps", "--unsupported", "--runtime-dir", directory.toString()));
            assertEquals(List.of("unsupported", "unsupported"), daemon.asked);
        }
        assertEquals(
                """
                SLICE  KIND     COUNT  NAME
                a      unruled      2  cuNew
                SLICE  KIND  COUNT  NAME
                a      call      3  cuGLInit
                """,
                out.toString());
    }

    @Test
    void explainTellsTheEngine() throws Exception {
        String answer =
                """
                {"ok":true,"slice":"a","engine":"direct","engineSaid":"direct",\
                "engineReason":"the slice says so","strict":true,"settings":\
                {"memory":"1GiB","engine":"direct","strict":"yes"}}\
                """;
        try (FakeDaemon daemon = new FakeDaemon(directory, Map.of("slice-explain", answer))) {
            assertEquals(
                    0,
                    run("slice", "explain", "a", "--runtime-dir", directory.toString()),
                    err::toString);
            assertEquals(1, daemon.asked.size());
        }
        assertEquals(
                """
                slice a
                  memory: 1GiB
                  engine: direct
                    since the slice says so
                  calls without a rule: are refused
                """,
                out.toString());
    }

    @Test
    void jsonIsWhatTheDaemonSaid() throws Exception {
        try (FakeDaemon daemon = new FakeDaemon(directory, Map.of("sessions", SESSIONS))) {
            assertEquals(0, run("ps", "-o", "json", "--runtime-dir", directory.toString()));
            assertFalse(daemon.asked.isEmpty());
        }
        JsonNode json = new ObjectMapper().readTree(out.toString());
        assertEquals("train", json.at("/sessions/0/program").asText());
        assertTrue(json.path("ok").isMissingNode());
    }

    @Test
    void noDaemonIsToldWithWhatToDo() {
        for (String command : List.of("ps", "status", "devices", "slices", "down", "demo")) {
            assertEquals(1, run(command, "--runtime-dir", directory.toString()), command);
        }
        assertEquals(6, err.toString().split("start one with 'facet up'", -1).length - 1);
        assertFalse(err.toString().contains("\tat "), err::toString);
    }

    @Test
    void downAsksBeforeItStopsPrograms() throws Exception {
        Map<String, String> answers =
                Map.of("status", "{\"ok\":true,\"pid\":0,\"sessions\":2}", "down", "{\"ok\":true}");
        try (FakeDaemon daemon = new FakeDaemon(directory, answers)) {
            assertEquals(1, run("down", "--runtime-dir", directory.toString()));
            assertTrue(err.toString().contains("2 programs use a device"), err::toString);
            assertEquals(List.of("status"), daemon.asked);
            assertEquals(0, run("down", "--force", "--runtime-dir", directory.toString()));
            assertEquals(List.of("status", "status", "down"), daemon.asked);
        }
    }

    @Test
    void refusalsAreTheDaemonsOwnWords() throws Exception {
        try (FakeDaemon daemon =
                new FakeDaemon(
                        directory,
                        Map.of("devices", "{\"ok\":false,\"error\":\"the device is gone\"}"))) {
            assertEquals(1, run("devices", "--runtime-dir", directory.toString()));
            assertEquals(1, daemon.asked.size());
        }
        assertEquals("facet: the device is gone\n", err.toString());
    }

    @Test
    void slicesFitTheScreen() throws Exception {
        String row =
                """
                {"name":"%s","policy":"%s","priority":%d,"compute":%d,"promised":%d,\
                "memory":1072693248,"memoryUsed":1071644672,"sessions":1024,\
                "deviceNanos":9999000000,"isolation":"%s"}\
                """;
        String rows =
                "{\"ok\":true,\"slices\":["
                        + row.formatted("inference-eu", "time-slice", 100, 100, 100, "process")
                        + ","
                        + row.formatted("background", "priority", 0, 30, 0, "shared")
                        + ","
                        + row.formatted("default", "burst", 0, 0, 0, "shared")
                        + "]}";
        for (String[] command : new String[][] {{"slices"}, {"slice", "list"}, {"slice", "ls"}}) {
            out.getBuffer().setLength(0);
            try (FakeDaemon daemon = new FakeDaemon(directory, Map.of("slices", rows))) {
                List<String> words = new ArrayList<>(List.of(command));
                words.addAll(List.of("--runtime-dir", directory.toString()));
                assertEquals(0, run(words.toArray(String[]::new)), err::toString);
                assertEquals(List.of("slices"), daemon.asked);
            }
            Files.delete(directory.resolve("control"));
            assertEquals(
                    """
                    SLICE         POLICY      PRIO  SHARE    MEMORY      USED  PROC  ACTIVE     TIME
                    inference-eu  time-slice   100  100 %  1023 MiB  1022 MiB  own     1024  9999 ms
                    background    priority       0  ≤30 %  1023 MiB  1022 MiB  -       1024  9999 ms
                    default       burst          0      -  1023 MiB  1022 MiB  -       1024  9999 ms
                    """,
                    out.toString());
            assertTrue(out.toString().lines().allMatch(line -> line.length() <= 80));
        }
    }

    @Test
    void longNamesAreCutOnAScreen() throws Exception {
        Table table =
                new Table(Table.Column.text("NAME", "name"), Table.Column.number("N", "number"));
        JsonNode rows =
                new ObjectMapper().readTree("[{\"name\":\"abcdefghijklmnop\",\"number\":7}]");
        assertEquals("NAME        N\nabcdefghi…  7\n", table.of(rows, 13));
        assertEquals("NAME              N\nabcdefghijklmnop  7\n", table.of(rows));
    }

    @Test
    void aSliceIsMadeWithWhatWasSaid() throws Exception {
        String answer =
                """
                {"ok":true,"slice":"train","action":"created","changes":[\
                {"key":"memory","to":"4GiB"},{"key":"policy","to":"fixed"}]}\
                """;
        try (FakeDaemon daemon = new FakeDaemon(directory, Map.of("slice-create", answer))) {
            assertEquals(
                    0,
                    run(
                            "slice",
                            "create",
                            "train",
                            "-m",
                            "4GiB",
                            "--compute=30%",
                            "--policy",
                            "tidal",
                            "--calendar",
                            "mon 1:00-2:00 5",
                            "--calendar",
                            "tue 1:00-2:00 6",
                            "--time-zone",
                            "Europe/Berlin",
                            "--runtime-dir",
                            directory.toString()),
                    err::toString);
            assertEquals(
                    List.of(
                            "slice-create name=train memory=4GiB compute=30%25 policy=tidal"
                                    + " calendar=mon%201%3A00-2%3A00%205%3B%20tue%201%3A00-2%3A00"
                                    + "%206 timeZone=Europe%2FBerlin"),
                    daemon.asked);
        }
        assertEquals(
                """
                + train created
                    memory  4GiB
                    policy  fixed
                run a program in it: facet run --slice train PROGRAM
                """,
                out.toString());
    }

    @Test
    void aChangeTellsWhatWasAndWhatIs() throws Exception {
        String answer =
                """
                {"ok":true,"slice":"train","action":"changed","changes":[\
                {"key":"memory","from":"4GiB","to":"8GiB"},{"key":"turn","to":"20ms"}]}\
                """;
        try (FakeDaemon daemon = new FakeDaemon(directory, Map.of("slice-set", answer))) {
            String place = directory.toString();
            assertEquals(0, run("slice", "set", "train", "-m", "8GiB", "--runtime-dir", place));
            assertEquals(List.of("slice-set name=train memory=8GiB"), daemon.asked);
        }
        assertEquals(
                """
                ~ train changed
                    memory  4GiB -> 8GiB
                    turn    - -> 20ms
                """,
                out.toString());
        assertEquals(2, run("slice", "set", "train", "--runtime-dir", directory.toString()));
        assertTrue(err.toString().contains("Nothing to change"), err::toString);
    }

    @Test
    void deletingCanBeForced() throws Exception {
        String answer = "{\"ok\":true,\"slice\":\"a\",\"action\":\"deleted\",\"changes\":[]}";
        try (FakeDaemon daemon = new FakeDaemon(directory, Map.of("slice-delete", answer))) {
            String place = directory.toString();
            assertEquals(0, run("slice", "delete", "a", "--runtime-dir", place));
            assertEquals("slice-delete name=a", daemon.asked.get(0));
            assertEquals(0, run("slice", "rm", "a", "--force", "--runtime-dir", place));
            assertTrue(daemon.asked.get(1).contains("force=true"), daemon.asked::toString);
        }
        assertEquals("slice a is deleted\nslice a is deleted\n", out.toString());
    }

    @Test
    void aFileIsAppliedAndShownAsADifference() throws Exception {
        Path file = directory.resolve("slices.yaml");
        Files.writeString(file, "slices:\n  - name: ä\n");
        String answer =
                """
                {"ok":true,"slices":[\
                {"slice":"a","action":"created","changes":[{"key":"memory","to":"4GiB"}]},\
                {"slice":"b","action":"changed","changes":[{"key":"compute","from":"1%","to":"2%"}]},\
                {"slice":"c","action":"unchanged","changes":[]},\
                {"slice":"d","action":"deleted","changes":[{"key":"memory","from":"1GiB"}]}]}\
                """;
        try (FakeDaemon daemon = new FakeDaemon(directory, Map.of("apply", answer))) {
            String place = directory.toString();
            assertEquals(
                    0,
                    run(
                            "apply",
                            "-f",
                            file.toString(),
                            "--prune",
                            "--dry-run",
                            "--runtime-dir",
                            place));
            assertEquals(
                    List.of(
                            "apply prune=true force=false dryRun=true"
                                    + " document=slices%3A%0A%20%20-%20name%3A%20%C3%A4%0A"),
                    daemon.asked);
        }
        assertEquals(
                """
                + a created
                    memory  4GiB
                ~ b changed
                    compute  1% -> 2%
                = c unchanged
                - d deleted
                1 created, 1 changed, 1 deleted, 1 unchanged; a dry run, nothing was done
                """,
                out.toString());
    }

    @Test
    void mistakesInAFileHaveItsName() throws Exception {
        Path file = directory.resolve("slices.yaml");
        Files.writeString(file, "x");
        String place = directory.toString();
        Map<String, String> answers =
                Map.of("apply", "{\"ok\":false,\"error\":\"line 3, column 5: no\"}");
        try (FakeDaemon daemon = new FakeDaemon(directory, answers)) {
            assertEquals(1, run("apply", "-f", file.toString(), "--runtime-dir", place));
            assertEquals(1, daemon.asked.size());
            assertEquals(1, run("apply", "-f", place + "/none.yaml", "--runtime-dir", place));
            Files.write(file, new byte[(256 << 10) + 1]);
            assertEquals(1, run("apply", "-f", file.toString(), "--runtime-dir", place));
            assertEquals(1, daemon.asked.size());
        }
        assertEquals(2, run("apply"));
        String said = err.toString();
        assertTrue(said.startsWith("facet: " + file + ", line 3, column 5: no\n"), said);
        assertTrue(said.contains("facet: there is no file " + place + "/none.yaml\n"), said);
        assertTrue(said.contains("more than 262144 bytes"), said);
    }

    @Test
    void topWithoutATerminalIsOneSample() throws Exception {
        Map<String, String> answers =
                Map.of(
                        "devices",
                        "{\"ok\":true,\"devices\":[{\"device\":0,\"multiprocessors\":2}]}",
                        "slices",
                        "{\"ok\":true,\"slices\":[{\"name\":\"one\",\"deviceNanos\":5}]}",
                        "sessions",
                        "{\"ok\":true,\"sessions\":[]}");
        try (FakeDaemon daemon = new FakeDaemon(directory, answers)) {
            assertEquals(
                    0,
                    run(
                            "top",
                            "--once",
                            "--interval",
                            "0.1",
                            "--runtime-dir",
                            directory.toString()));
            assertTrue(out.toString().contains("GPU 0 busy ["), out::toString);
            assertTrue(out.toString().contains("\none  "), out::toString);
            assertEquals(
                    List.of("devices", "slices", "sessions", "devices", "slices", "sessions"),
                    daemon.asked);
        }
        assertEquals(2, run("top", "--interval", "0"));
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
    void sliceCommandsHaveExamplesToo() {
        for (String command : List.of("create", "set", "list", "delete")) {
            out.getBuffer().setLength(0);
            assertEquals(0, run("slice", command, "--help"), command);
            assertTrue(out.toString().contains("  facet slice " + command), out::toString);
            assertTrue(out.toString().contains("-o, --output"), out::toString);
        }
        assertEquals(0, run("apply", "--help"));
        assertTrue(out.toString().contains("facet apply -f slices.yaml"), out::toString);
        assertEquals(2, run("slice"));
        assertEquals(2, run("slice", "create"));
    }

    @Test
    void completionKnowsTheCommands() {
        assertEquals(0, run("completion"));
        assertTrue(out.toString().contains("time-slice"), out::toString);
        assertTrue(out.toString().contains("devices"), out::toString);
        assertTrue(out.toString().contains("--runtime-dir"), out::toString);
    }

    @Test
    void amountsAreReadable() {
        assertEquals("0 B", Units.bytes(0));
        assertEquals("1.5 KiB", Units.bytes(1536));
        assertEquals("256 MiB", Units.bytes(256L << 20));
        assertEquals("850 µs", Units.nanos(850_000));
        assertEquals("9999 ms", Units.nanos(9_999_000_000L));
        assertEquals("12.5 s", Units.nanos(12_500_000_000L));
        assertEquals("1 h 2 min", Units.seconds(3725));
    }

    @Test
    void theRuntimeDirectoryIsLookedForInOrder() {
        Map<String, String> both = Map.of("FACET_RUNTIME_DIR", "/a", "XDG_RUNTIME_DIR", "/b");
        assertEquals(Path.of("/a"), RuntimeDirectory.find(both, true, 0));
        assertEquals(Path.of("/run/facet"), RuntimeDirectory.find(Map.of(), true, 0));
        assertEquals(
                Path.of("/b/facet"),
                RuntimeDirectory.find(Map.of("XDG_RUNTIME_DIR", "/b"), false, 5));
        assertEquals(Path.of("/tmp/facet-5"), RuntimeDirectory.find(Map.of(), false, 5));
    }

    private static final String POOL =
            """
            {"ok":true,"joined":true,"pool":"p1","node":"web1","listens":"","address":"",\
            "draining":true,"empty":true,"sessions":0,"lent":0,"strangers":0,"turnedAway":0,\
            "nodes":[{"node":"gpu1","address":"10.0.0.7:7412","connected":true,\
            "roundTripNanos":250000,"sessions":1,"roundTrips":40,"sent":2048,"received":1024,\
            "resumes":3,"sentAgain":10,"devices":2,"draining":false,"state":"connected"}]}\
            """;

    @Test
    void thePoolIsShown() throws Exception {
        try (FakeDaemon daemon = new FakeDaemon(directory, Map.of("pool", POOL))) {
            assertEquals(0, run("pool", "status", "--runtime-dir", directory.toString()));
            assertEquals(List.of("pool"), daemon.asked);
        }
        assertEquals(
                """
                pool p1, this is node web1, which lends nothing
                0 slices of its devices are lent, 0 programs use them
                it drains: it takes no new slices, and is empty

                NODE  ADDRESS        DEVICES      RTT  PROGRAMS  WAITS   SENT  RECEIVED  CUTS  STATE
                gpu1  10.0.0.7:7412        2  0.25 ms         1     40  2 KiB     1 KiB     3  connected
                """,
                out.toString());
    }

    @Test
    void aPoolIsJoinedWithATokenThatNobodyElseReads() throws Exception {
        Path token = directory.resolve("token");
        Files.writeString(token, "facet-pool-1-x\n");
        Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-r--r--"));
        String[] join = {
            "join",
            "gpu1",
            "10.0.0.8:1",
            "--token-file",
            token.toString(),
            "--name",
            "web1",
            "--runtime-dir",
            directory.toString()
        };
        try (FakeDaemon daemon = new FakeDaemon(directory, Map.of("pool-join", POOL))) {
            assertEquals(1, run(join));
            assertTrue(err.toString().contains("chmod 600"), err::toString);
            assertEquals(List.of(), daemon.asked);
            Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-------"));
            assertEquals(0, run(join), err::toString);
            assertEquals(
                    List.of("pool-join seeds=gpu1%2C10.0.0.8%3A1 token=facet-pool-1-x node=web1"),
                    daemon.asked);
        }
    }

    @Test
    void devicesOfThePoolAreListedWithTheirNode() throws Exception {
        String rows =
                """
                {"ok":true,"devices":[],"elsewhere":[{"node":"gpu1","connected":true,"device":0,\
                "name":"L4","computeCapability":"8.9","multiprocessors":58,"memory":1073741824,\
                "used":0,"free":536870912,"timeRest":70}]}\
                """;
        try (FakeDaemon _ = new FakeDaemon(directory, Map.of("devices", rows))) {
            assertEquals(0, run("devices", "--runtime-dir", directory.toString()));
        }
        assertEquals(
                """
                NODE  DEVICE  NAME  COMPUTE  SMS  MEMORY  USED     FREE  LEFT
                gpu1       0  L4    8.9       58   1 GiB   0 B  512 MiB  70 %
                """,
                out.toString());
    }
}
