package facet.bench.soak;

import facet.bench.Places;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Short programs, some at a time, one after the other; a part of them is killed. */
final class Crowd implements AutoCloseable {
    private static final int AT_A_TIME = 4;

    /** One in so many is killed. */
    private static final int KILLED = 4;

    /** One in so many has code that nobody had before. */
    private static final int NEW_CODE = 3;

    private static final int PATIENCE_SECONDS = 60;
    private static final Path DEMO = Places.inRepository("native/target/demo");

    /** Slices with a process of their own. */
    static final List<String> WALLED = List.of("walled-1", "walled-2");

    /** Who names its memory has a slice of its own. */
    private static final String OWN_SLICE = "--memory";

    private static final String NO_MEMORY = "not enough memory (2)";

    private static final Path RUN = Places.inRepository("native/target/bin/facet-run");

    private final Path directory;
    private final Path scratch;
    private final String kernels;
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicLong ended = new AtomicLong();
    private final AtomicLong killed = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final AtomicLong crowdedOut = new AtomicLong();
    private final Set<String> reasons = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /**
     * @param directory of the daemon's sockets
     */
    Crowd(Path directory, long seed) throws IOException {
        this.directory = directory;
        scratch = Files.createTempDirectory("facet-soak");
        kernels = Files.readString(DEMO.resolve("kernels.ptx"));
        for (int i = 0; i < AT_A_TIME; i++) {
            Random random = new Random(seed + i);
            int number = i;
            threads.add(Thread.ofVirtual().start(() -> runAll(number, random)));
        }
    }

    long ended() {
        return ended.get();
    }

    long killed() {
        return killed.get();
    }

    /** Ended with an error although nobody killed them. */
    long failed() {
        return failed.get();
    }

    /** Had no memory in a slice of several, one of which takes all that there is. */
    long crowdedOut() {
        return crowdedOut.get();
    }

    /** What those that failed have said. */
    Set<String> reasons() {
        return Set.copyOf(reasons);
    }

    private void runAll(int number, Random random) {
        try {
            Path own = scratch.resolve(number + ".ptx");
            Files.writeString(own, kernels);
            for (long i = 0; !closed; i++) {
                if (random.nextInt(NEW_CODE) == 0) {
                    Files.writeString(own, kernels + "\n// " + number + "." + i + "\n");
                }
                runOne(command(own, random), scratch.resolve(number + ".errors"), random);
            }
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static List<String> command(Path code, Random random) {
        List<String> command = new ArrayList<>(List.of(RUN.toString()));
        switch (random.nextInt(4)) {
            case 0 -> command.addAll(List.of("--slice", WALLED.get(random.nextInt(2))));
            case 1, 2 -> command.addAll(List.of(OWN_SLICE, "64MiB", "--compute", "20"));
            default -> {} // the slice that everybody has
        }
        command.add("--");
        String program = List.of("nbody", "multiply", "intruder").get(random.nextInt(3));
        command.addAll(List.of(DEMO.resolve(program).toString(), code.toString()));
        if (!program.equals("intruder")) {
            command.add("0.02");
        }
        return command;
    }

    private void runOne(List<String> command, Path errors, Random random)
            throws IOException, InterruptedException {
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .redirectError(errors.toFile());
        builder.environment().put("FACET_RUNTIME_DIR", directory.toString());
        Process process = builder.start();
        boolean kills = random.nextInt(KILLED) == 0;
        long patience = kills ? random.nextInt(5, 150) : PATIENCE_SECONDS * 1000L;
        if (!process.waitFor(patience, TimeUnit.MILLISECONDS)) {
            process.destroyForcibly().waitFor();
            killed.incrementAndGet();
        } else if (process.exitValue() != 0) {
            String reason = Files.readString(errors).strip();
            if (!command.contains(OWN_SLICE) && reason.endsWith(NO_MEMORY)) {
                crowdedOut.incrementAndGet();
            } else {
                failed.incrementAndGet();
                reasons.add(reason);
            }
        }
        ended.incrementAndGet();
    }

    @Override
    public void close() throws IOException {
        closed = true;
        for (Thread each : threads) {
            try {
                each.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted while programs end", e);
            }
        }
        for (int i = 0; i < AT_A_TIME; i++) {
            Files.deleteIfExists(scratch.resolve(i + ".ptx"));
            Files.deleteIfExists(scratch.resolve(i + ".errors"));
        }
        Files.delete(scratch);
    }
}
