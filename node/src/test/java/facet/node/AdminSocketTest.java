package facet.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import facet.doors.control.Access;
import facet.doors.control.ControlServer;
import facet.log.Log;
import facet.node.server.TestClient;
import facet.os.Connection;
import facet.os.ProcessUnsafe;
import facet.slices.document.StateFolder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who may use which socket. Other users are played by other processes, where the test is root. */
@Timeout(300)
class AdminSocketTest {
    /** Nobody's, on every Linux. */
    private static final String OTHER = "65534";

    /** A group that needs no name. */
    private static final String GROUP = "54321";

    @TempDir private Path folder = Path.of("/nowhere");

    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private final Log log =
            new Log(new PrintStream(written, true, StandardCharsets.UTF_8), Log.Level.DEBUG);
    private final List<AutoCloseable> open = new ArrayList<>();

    @BeforeEach
    void letOthersComeToTheFolder() throws IOException {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open.reversed()) {
            each.close();
        }
    }

    private <T extends AutoCloseable> T closing(T one) {
        open.add(one);
        return one;
    }

    private RuntimeFolder start(Access access) throws Exception {
        Options options =
                Options.parse(
                        new String[] {
                            "--runtime-dir=" + folder.resolve("run"),
                            "--state-dir=" + folder.resolve("state"),
                            "--memory=256M",
                            "--http=off"
                        });
        RuntimeFolder runtime = closing(RuntimeFolder.take(options.runtime(), access));
        StateFolder state = closing(StateFolder.take(options.state()));
        Daemon daemon = closing(new Daemon(options, Facetd.MAINS, runtime, state, log));
        closing(ControlServer.open(runtime.control(), access, daemon, log));
        return runtime;
    }

    private static String permissions(Path path) throws IOException {
        PosixFileAttributes all = Files.readAttributes(path, PosixFileAttributes.class);
        return PosixFilePermissions.toString(all.permissions()) + " " + all.group().getName();
    }

    @Test
    void onlyTheOwnerComesIn() throws Exception {
        RuntimeFolder runtime = start(Access.OWNER);
        String own = Files.readAttributes(folder, PosixFileAttributes.class).group().getName();
        assertEquals("rwx------ " + own, permissions(runtime.path()));
        assertEquals("rw------- " + own, permissions(runtime.control()));
        assertEquals("rwx------ " + own, permissions(runtime.slices()));
        assertEquals("rwx------ " + own, permissions(runtime.slices().resolve("default")));
    }

    @Test
    void aFolderThatWasOpenIsClosed() throws Exception {
        Files.createDirectory(folder.resolve("run"));
        Files.setPosixFilePermissions(
                folder.resolve("run"), PosixFilePermissions.fromString("rwxrwxrwx"));
        assertTrue(permissions(start(Access.OWNER).path()).startsWith("rwx------ "));
    }

    @Test
    void aFolderOfOthersIsLeftAlone() throws Exception {
        Path run = Files.createDirectory(folder.resolve("run"));
        Files.setPosixFilePermissions(run, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.createFile(run.resolve("letters.txt"));
        IOException refused = assertThrows(IOException.class, () -> start(Access.OWNER));
        assertTrue(
                String.valueOf(refused.getMessage()).contains("is used for something else"),
                refused.getMessage());
        assertTrue(permissions(run).startsWith("rwxr-xr-x "));
    }

    @Test
    void aGroupThatIsNotThereIsNamed() {
        IOException refused =
                assertThrows(
                        IOException.class, () -> Access.of(Optional.of("no-such-group-of-facet")));
        assertTrue(
                String.valueOf(refused.getMessage())
                        .contains("there is no group 'no-such-group-of-facet'"),
                refused.getMessage());
    }

    // ---- as another user

    /** What the stranger prints. Its classes are copied to where it can read them. */
    private String stranger(String groups, String kind, Path socket, byte[] message)
            throws Exception {
        Path classes = folder.resolve("classes");
        if (!Files.exists(classes)) {
            copy(home(Connection.class), classes, "facet/os");
            copy(home(Stranger.class), classes, "facet/node/Stranger.class");
        }
        List<String> command =
                List.of(
                        "setpriv",
                        "--reuid=" + OTHER,
                        "--regid=" + OTHER,
                        groups,
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-Xshare:auto",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        classes.toString(),
                        Stranger.class.getName(),
                        kind,
                        socket.toString(),
                        HexFormat.of().formatHex(message));
        Process process =
                new ProcessBuilder(command)
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(process.waitFor(60, TimeUnit.SECONDS));
        assertEquals(0, process.exitValue(), said);
        return said.strip();
    }

    private static Path home(Class<?> of) throws Exception {
        return Path.of(of.getProtectionDomain().getCodeSource().getLocation().toURI());
    }

    private static void copy(Path from, Path to, String what) throws IOException {
        assumeTrue(Files.isDirectory(from), "classes are in a jar");
        List<Path> files;
        try (Stream<Path> all = Files.walk(from.resolve(what))) {
            files = all.filter(Files::isRegularFile).toList();
        }
        for (Path each : files) {
            Path target = to.resolve(from.relativize(each).toString());
            Files.createDirectories(target.getParent());
            Files.copy(each, target);
        }
    }

    private static void needRoot() {
        assumeTrue(
                ProcessUnsafe.user() == 0 && Files.isExecutable(Path.of("/usr/bin/setpriv")),
                "only root can be somebody else");
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static final String ALONE = "--clear-groups";

    @Test
    void anotherUserComesInNowhere() throws Exception {
        needRoot();
        RuntimeFolder runtime = start(Access.OWNER);
        Path socket = runtime.slices().resolve("default/socket");
        for (Path each : new Path[] {runtime.control(), runtime.path().resolve("socket"), socket}) {
            String kind = each.equals(runtime.control()) ? "STREAM" : "PACKETS";
            String said = stranger(ALONE, kind, each, bytes("status\n"));
            assertTrue(said.startsWith("failed: cannot connect to "), said);
        }
    }

    /** A container sees the socket of its slice and nothing around it; a link does the same. */
    @Test
    void theSocketOfASliceGivesAProgramAndNoMore() throws Exception {
        needRoot();
        RuntimeFolder runtime = start(Access.OWNER);
        Path slice = folder.resolve("slice");
        Path control = folder.resolve("control");
        Files.createLink(slice, runtime.slices().resolve("default/socket"));
        Files.createLink(control, runtime.control());

        String denied = stranger(ALONE, "STREAM", control, bytes("status\n"));
        assertTrue(denied.startsWith("failed: cannot connect to "), denied);
        assertEquals("ended", stranger(ALONE, "PACKETS", slice, bytes("down\n")));
        String welcome = stranger(ALONE, "PACKETS", slice, TestClient.hello("stranger"));
        assertFalse(welcome.startsWith("failed") || welcome.equals("ended"), welcome);
        assertTrue(Files.exists(runtime.control()), "the daemon went down");
    }

    @Test
    void aSocketThatWasOpenedByMistakeIsNotEnough() throws Exception {
        needRoot();
        RuntimeFolder runtime = start(Access.OWNER);
        Path control = folder.resolve("control");
        Files.createLink(control, runtime.control());
        Files.setPosixFilePermissions(control, PosixFilePermissions.fromString("rw-rw-rw-"));
        String said = stranger(ALONE, "STREAM", control, bytes("down\n"));
        assertTrue(said.equals("ended") || said.startsWith("failed: cannot "), said);
        assertTrue(Files.exists(runtime.control()), "the daemon went down");
        String logged = written.toString(StandardCharsets.UTF_8);
        assertTrue(logged.contains("warning [control] refused: user "), logged);
    }

    @Test
    void membersOfTheGroupComeIn() throws Exception {
        needRoot();
        RuntimeFolder runtime = start(Access.of(Optional.of(GROUP)));
        assertEquals("rwxr-x--- " + GROUP, permissions(runtime.path()));
        assertEquals("rw-rw---- " + GROUP, permissions(runtime.control()));
        assertEquals("rwxr-x--- " + GROUP, permissions(runtime.slices().resolve("default")));

        String member = "--groups=" + GROUP;
        String status = stranger(member, "STREAM", runtime.control(), bytes("status\n"));
        assertTrue(status.startsWith(HexFormat.of().formatHex(bytes("{\"ok\":true"))), status);
        String made = stranger(member, "STREAM", runtime.control(), bytes("run name=theirs\n"));
        assertTrue(made.startsWith(HexFormat.of().formatHex(bytes("{\"ok\":true"))), made);
        String logged = written.toString(StandardCharsets.UTF_8);
        assertTrue(logged.contains("info [control] user "), logged);
        assertTrue(logged.contains(": run theirs"), logged);
        String welcome =
                stranger(
                        member,
                        "PACKETS",
                        runtime.path().resolve("socket"),
                        TestClient.hello("member"));
        assertFalse(welcome.startsWith("failed") || welcome.equals("ended"), welcome);

        String said = stranger(ALONE, "STREAM", runtime.control(), bytes("status\n"));
        assertTrue(said.startsWith("failed: cannot connect to "), said);
    }
}
