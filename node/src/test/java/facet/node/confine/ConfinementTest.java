package facet.node.confine;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import facet.os.Listener;
import facet.os.ProcessUnsafe;
import facet.os.SharedMemoryUnsafe;
import facet.os.SocketKind;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A worker that belongs to somebody else by now reaches nothing; an honest one lacks nothing. */
@Timeout(300)
class ConfinementTest {
    private static final int KILLED_BY_FILTER = 128 + 31; // SIGSYS
    private static final int KILLED = 128 + 9;

    /** What an attacker aims at, with a target that can be hit. */
    private static final class Range implements AutoCloseable {
        private final Path folder = Files.createTempDirectory("facet-target");
        private final ServerSocket http = new ServerSocket(0, 8, InetAddress.getLoopbackAddress());
        private final Listener control =
                Listener.open(
                        folder.resolve("control"),
                        SocketKind.PACKETS,
                        8,
                        PosixFilePermissions.fromString("rwxrwxrwx"));
        private final SharedMemoryUnsafe memory = SharedMemoryUnsafe.create("victim", 4096);
        private final String hidden = "facet-hidden-" + ProcessHandle.current().pid();
        private final int listening = CallsUnsafe.listen(hidden);
        private final CaptiveProcess other = CaptiveProcess.start(true);

        Range() throws IOException {}

        Attack.Target target(Path jar) {
            return new Attack.Target(
                    ProcessHandle.current().pid(),
                    other.javaPid(),
                    memory.descriptor(),
                    jar.toString(),
                    control.path().toString(),
                    hidden,
                    http.getLocalPort());
        }

        @Override
        public void close() throws IOException {
            other.close();
            CallsUnsafe.call(3, listening);
            memory.close();
            control.close();
            http.close();
            Files.delete(folder);
        }
    }

    /** From where nobody is confined these succeed: so the table below says something. */
    @Test
    void attacksAreReal() throws Exception {
        try (Range range = new Range()) {
            Attack.Target target = range.target(Path.of("/none"));
            for (Attack each :
                    List.of(
                            Attack.READ_PASSWORDS,
                            Attack.READ_ENVIRONMENT_OF_THE_DAEMON,
                            Attack.OPEN_MEMORY_OF_ANOTHER,
                            Attack.CONNECT_TO_THE_CONTROL_SOCKET,
                            Attack.CONNECT_TO_AN_ABSTRACT_NAME,
                            Attack.CONNECT_TO_HTTP,
                            Attack.A_SOCKET_OF_ANY_FAMILY,
                            Attack.A_PAIR_OF_SOCKETS,
                            Attack.KILL_THE_DAEMON,
                            Attack.KILL_ANOTHER_WORKER,
                            Attack.TAKE_A_DESCRIPTOR_OF_THE_DAEMON,
                            Attack.BE_TOLD_OF_PAGE_FAULTS)) {
                assumeTrue(ProcessUnsafe.user() == 0);
                assertTrue(each.run(target) >= 0, each.name());
            }
        }
    }

    /** All attacks, in as many processes as die of them. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void attacksFail(boolean sealed) throws Exception {
        List<Executable> findings = new ArrayList<>();
        int died = 0;
        CaptiveProcess attacker = CaptiveProcess.start(sealed);
        try (Range range = new Range()) {
            for (Attack each : attacks(sealed)) {
                String target = range.target(attacker.jar()).line();
                Optional<String> answer = attacker.tell("attack " + each.name() + " " + target);
                System.out.println(each + ": " + answer.orElse("died"));
                findings.add(() -> assertRefused(each, answer));
                if (answer.isEmpty()) {
                    died++;
                    int code = attacker.code();
                    findings.add(() -> assertEquals(KILLED_BY_FILTER, code, each.name()));
                    attacker.close();
                    attacker = CaptiveProcess.start(sealed);
                }
            }
            assertTrue(range.other.isAlive(), "another worker was hit");
        } finally {
            attacker.close();
        }
        assertAll(findings);
        assertTrue(sealed ? died > 20 : died == 0, died + " died");
    }

    private static List<Attack> attacks(boolean sealed) {
        return Arrays.stream(Attack.values()).filter(each -> sealed || each.failsByPlace).toList();
    }

    private static void assertRefused(Attack attack, Optional<String> answer) {
        assertTrue(
                answer.isEmpty() || answer.get().matches("-[0-9]+"),
                attack + " came to " + answer.orElse(""));
    }

    @Test
    void honestThingsWork() throws Exception {
        List<Executable> findings = new ArrayList<>();
        try (CaptiveProcess captive = CaptiveProcess.start(true)) {
            for (Honest each : Honest.values()) {
                Optional<String> answer = captive.tell("honest " + each.name());
                findings.add(() -> assertEquals(Optional.of(each.expected), answer, each.name()));
            }
        }
        assertAll(findings);
    }

    @ParameterizedTest
    @EnumSource(names = {"THREADS", "DESCRIPTORS"})
    void nobodyHasWithoutEnd(Greed greed) throws Exception {
        assumeTrue(ProcessUnsafe.user() == 0);
        try (CaptiveProcess captive = CaptiveProcess.start(true)) {
            long got = Long.parseLong(captive.tell("greed " + greed.name()).orElseThrow());
            assertTrue(got > 100 && got <= greed.most, got + " of them");
            // The system counts threads for a moment after they have ended.
            Optional<String> then = captive.tell("honest THREADS");
            for (int i = 0; i < 1000 && !then.equals(Optional.of("50")); i++) {
                Thread.sleep(10);
                then = captive.tell("honest THREADS");
            }
            assertEquals(Optional.of("50"), then, "and then it works");
        }
    }

    /** Where there are control groups: the kernel ends it, and its group is removed. */
    @Test
    void memoryHasALimit() throws Exception {
        assumeTrue(ControlGroups.find().missing().isEmpty(), "no control groups of ours");
        try (CaptiveProcess captive = CaptiveProcess.start(true)) {
            Path group = captive.group();
            assertTrue(Files.exists(group), group + " is not there");
            assertEquals(Optional.empty(), captive.tell("greed MEMORY"), "it had 20 GiB");
            assertEquals(KILLED, captive.code());
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            while (Files.exists(group) && System.nanoTime() < end) {
                Thread.sleep(10);
            }
            assertTrue(Files.notExists(group), group + " is left behind");
        }
    }

    /** Only what the JVM reads is there; what is open is that, the connection and the log. */
    @Test
    void nothingElseIsThere() throws Exception {
        try (CaptiveProcess captive = CaptiveProcess.start(true)) {
            Path proc = Path.of("/proc", Long.toString(captive.javaPid()));
            String status = Files.readString(proc.resolve("status"));
            for (String line :
                    List.of(
                            "CapEff:\t0000000000000000",
                            "CapBnd:\t0000000000000000",
                            "NoNewPrivs:\t1",
                            "Seccomp:\t2")) {
                assertTrue(status.contains(line), status);
            }
            assertEquals(List.of(), names(proc.resolve("root/home")));
            assertEquals(List.of(), names(proc.resolve("root/proc")));
            assertEquals(List.of(), names(proc.resolve("root/dev")));
            for (Path each : descriptors(proc)) {
                String target = Files.readSymbolicLink(each).toString();
                assertTrue(
                        target.endsWith(".jar")
                                || target.endsWith("/lib/modules")
                                || target.equals("/null")
                                || target.startsWith("socket:")
                                || target.startsWith("pipe:"),
                        each + " is " + target);
            }
            for (String each : List.of("net", "pid", "ipc", "uts", "mnt")) {
                assertTrue(
                        !Files.readSymbolicLink(proc.resolve("ns/" + each))
                                .equals(Files.readSymbolicLink(Path.of("/proc/self/ns", each))),
                        "shares " + each);
            }
        }
    }

    private static List<Path> descriptors(Path proc) throws IOException {
        try (Stream<Path> all = Files.list(proc.resolve("fd"))) {
            return all.toList();
        }
    }

    private static List<Path> names(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return List.of();
        }
        try (Stream<Path> all = Files.list(folder)) {
            return all.toList();
        }
    }

    /** It ends with the process that watches it, however that ends. */
    @Test
    void itEndsWithItsKeeper() throws Exception {
        try (CaptiveProcess captive = CaptiveProcess.start(true)) {
            ProcessHandle java = ProcessHandle.of(captive.javaPid()).orElseThrow();
            assertTrue(ProcessHandle.of(captive.pid()).orElseThrow().destroyForcibly());
            java.onExit().get(60, TimeUnit.SECONDS);
        }
    }
}
