package facet.host.stress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import facet.abi.Constants;
import facet.host.ledger.LedgerMemory;
import facet.host.residency.MovedMemory;
import facet.ring.ReplySlots;
import facet.ring.RingReader;
import facet.ring.RingWriter;
import facet.ring.SessionMemory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The client's rings, reply slots, touching and callbacks with threads in C on their side and
 * readers in Java on ours. Nothing is lost, comes twice or out of order; and nobody sleeps on who
 * should have been woken.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class StressTest {
    private static final long SEED = Long.getLong("facet.seed", 11);

    /** Times what the gate does. */
    private static final int SCALE = Integer.getInteger("facet.stress", 1);

    /** The smallest that clients take. */
    private static final int SMALL = 4096;

    private static final Path NATIVE = Path.of("../native").toAbsolutePath().normalize();

    @TempDir Path folder;

    private interface Work {
        void run() throws Exception;
    }

    private final List<Thread> threads = new ArrayList<>();
    private final ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();

    @Test
    void millionsOfCommands() throws Exception {
        run(
                NATIVE.resolve("target/test/stress"),
                new Load(
                        Constants.COMMAND_BYTES,
                        SEED,
                        4,
                        SCALE * 300_000,
                        100,
                        10_000,
                        5_000,
                        100));
    }

    /** All the time somebody sleeps, and is to be woken. */
    @Test
    void smallRings() throws Exception {
        run(
                NATIVE.resolve("target/test/stress"),
                new Load(
                        SMALL,
                        SEED + 1,
                        4,
                        SCALE * 4_000,
                        SCALE * 250,
                        SCALE * 50_000,
                        SCALE * 1_000,
                        SCALE * 250));
    }

    /** Fewer of them, with the client's accesses to memory watched by ThreadSanitizer. */
    @Test
    void nothingRaces() throws Exception {
        assumeTrue(sanitizes(), "skipped: the compiler has no ThreadSanitizer");
        Process build =
                new ProcessBuilder(NATIVE.resolve("build").toString(), "--sanitize-thread")
                        .redirectErrorStream(true)
                        .start();
        String said = new String(build.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, build.waitFor(), said);
        run(
                NATIVE.resolve("target/sanitize-thread/test/stress"),
                new Load(SMALL, SEED + 2, 6, 1_500, 200, 5_000, 400, 200));
    }

    /** Distributions package sanitizers apart. */
    private boolean sanitizes() throws IOException, InterruptedException {
        Path source = folder.resolve("empty.c");
        Files.writeString(source, "int main(void) { return 0; }\n");
        return new ProcessBuilder(
                                "cc",
                                "-fsanitize=thread",
                                source.toString(),
                                "-o",
                                folder.resolve("empty").toString())
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor()
                == 0;
    }

    private void run(Path program, Load load) throws Exception {
        System.out.println("seed " + load.seed());
        long bytes = (long) load.threads() * Load.THREAD_BYTES;
        try (SessionMemory session = SessionMemory.create("stress", List.of());
                LedgerMemory ledger = LedgerMemory.create("stress", 0, 0);
                MovedMemory first = new MovedMemory(bytes, session.contextStatus(0));
                MovedMemory second = new MovedMemory(bytes, session.contextStatus(1))) {
            Shared shared = new Shared(session, load.ringBytes());
            try (NativeClient client =
                    new NativeClient(
                            program,
                            load.arguments(),
                            folder,
                            session.descriptor(),
                            ledger.descriptor())) {
                client.sendMemory(0, first.descriptor());
                client.sendMemory(1, second.descriptor());
                run(load, session.replies(), shared, client, List.of(first, second));
            }
        }
    }

    private void run(
            Load load,
            ReplySlots replies,
            Shared shared,
            NativeClient client,
            List<MovedMemory> memories)
            throws Exception {
        RingReader reader = shared.commands.reader();
        RingWriter writer = shared.callbacks.writer();
        Answers answers = new Answers(replies, shared);
        Callbacks callbacks = new Callbacks(writer, shared);
        Watch watch = new Watch(shared);
        List<Moves> moves = memories.stream().map(each -> new Moves(each, answers)).toList();
        CommandChecker checker =
                new CommandChecker(load, shared, reader, answers, callbacks, moves);
        start("commands", client, checker::run);
        start("callbacks", client, () -> callbacks.run(random(load, 1)));
        start("watch", client, watch::run);
        start("moves 0", client, () -> moves.get(0).run(random(load, 2)));
        start("moves 1", client, () -> moves.get(1).run(random(load, 3)));
        start("answers 0", client, () -> answers.run(random(load, 4)));
        start("answers 1", client, () -> answers.run(random(load, 5)));
        int status;
        try {
            status = client.await();
        } finally {
            reader.close();
            writer.close();
            end();
        }
        if (!failures.isEmpty()) {
            throw new AssertionError("seed " + load.seed(), failures.peek());
        }
        assertEquals(0, status, client.errors());
        assertEquals("", client.errors());
        check(client.output(), checker, callbacks);
        assertTrue(checker.held() > 0, "the ring was never full");
        for (Moves each : moves) {
            assertTrue(each.rounds() > 1);
        }
        System.out.println(
                "%d commands, %d callbacks, %d moves, ring held full %d times"
                        .formatted(
                                checker.records(),
                                callbacks.told(),
                                moves.stream().mapToLong(Moves::rounds).sum(),
                                checker.held()));
    }

    /** What the client counted is what came here; and it slept, and was woken. */
    private static void check(List<String> lines, CommandChecker checker, Callbacks callbacks) {
        long launched = 0;
        for (String line : lines) {
            System.out.println(line);
            String[] words = line.split(" ", -1);
            switch (words[0]) {
                case "thread" -> {
                    int thread = Integer.parseInt(words[1]);
                    assertEquals(Integer.parseInt(words[2]), checker.records(thread), line);
                    launched += Long.parseLong(words[3]);
                }
                case "slept" -> {
                    assertTrue(Long.parseLong(words[1]) > 0, "nobody slept for room");
                    assertTrue(Long.parseLong(words[2]) > 0, "nobody slept for an answer");
                    assertTrue(Long.parseLong(words[4]) > 0, "nobody slept for callbacks");
                }
                case "lost" -> assertEquals("lost 0", line, "sleepers there that nobody woke");
                default -> throw new AssertionError(line);
            }
        }
        assertEquals(Load.CROWD + 2, lines.size());
        assertEquals(launched, callbacks.told());
        // The last one has run before the process ended, but may not have said so.
        assertTrue(callbacks.left() <= 1, callbacks.left() + " host functions were never done");
    }

    private static Random random(Load load, int stream) {
        return new Random(Draws.mix(load.seed() + stream));
    }

    private void start(String name, NativeClient client, Work work) {
        threads.add(
                Thread.ofPlatform()
                        .name(name)
                        .daemon()
                        .start(() -> {
                            try {
                                work.run();
                            } catch (InterruptedException e) {
                                // The end.
                            } catch (Throwable e) {
                                failures.add(e);
                                client.destroy();
                            }
                        }));
    }

    private void end() throws InterruptedException {
        for (Thread each : threads) {
            each.interrupt();
        }
        for (Thread each : threads) {
            each.join();
        }
    }
}
