package facet.cli.selftest;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A program that does what it is told, a line at a time. */
final class Program implements AutoCloseable {
    private static final String DONE = "done";
    private static final String ENDED = "ended";

    /** Longer than anything takes that is not stuck. */
    private static final int PATIENCE_SECONDS = 120;

    private final Slice slice;
    private final boolean owner;
    private final Path errors;
    private final Process process;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

    Program(Slice slice, boolean owner, ProcessBuilder command) throws IOException {
        this.slice = slice;
        this.owner = owner;
        this.errors = Files.createTempFile("facet-selftest", ".txt");
        this.process = command.redirectError(errors.toFile()).start();
        Thread.ofVirtual().name("reads a program's answers").start(this::read);
    }

    private void read() {
        try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
            reader.lines().forEach(lines::add);
        } catch (IOException | UncheckedIOException e) {
            lines.add(e.toString());
        }
        lines.add(ENDED);
    }

    Slice slice() {
        return slice;
    }

    /** Tells it something; {@link #answer} is to follow. */
    void tell(String command, Object... values) throws IOException {
        StringBuilder line = new StringBuilder(command);
        for (Object each : values) {
            line.append(' ').append(each);
        }
        process.outputWriter(StandardCharsets.UTF_8).append(line.append('\n')).flush();
    }

    /** What it printed until it was done with what it was told; at first: until it had begun. */
    Answer answer() throws IOException, InterruptedException {
        List<String> answer = new ArrayList<>();
        while (true) {
            String line = lines.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
            if (line == null || line.equals(ENDED)) {
                throw new IOException(
                        (line == null
                                        ? "a program does not go on: "
                                        : "a program has ended by itself: ")
                                + Files.readString(errors).strip());
            }
            if (line.equals(DONE)) {
                return new Answer(answer);
            }
            answer.add(line);
        }
    }

    Answer ask(String command, Object... values) throws IOException, InterruptedException {
        tell(command, values);
        return answer();
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly();
        Files.deleteIfExists(errors);
        if (owner) {
            slice.close();
        }
    }
}
