package facet.bench.escape;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** One process that tries a way. It does a step for each line that it is told. */
final class Player implements AutoCloseable {
    private static final int STEP_SECONDS = 120;

    private final Process process;
    private final BufferedReader output;

    Player(Process process) {
        this.process = process;
        this.output = process.inputReader(StandardCharsets.UTF_8);
    }

    void tell(String line) {
        try {
            process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
        } catch (IOException e) {
            // It has ended; what it said last, or that it said nothing, comes with the next answer.
            Objects.requireNonNull(e);
        }
    }

    /** What it says next: the words of a line that starts with this one. */
    String[] hear(String word) throws TrialException, InterruptedException {
        FutureTask<String> line = new FutureTask<>(output::readLine);
        Thread.ofVirtual().start(line);
        try {
            String heard = line.get(STEP_SECONDS, TimeUnit.SECONDS);
            if (heard == null) {
                process.waitFor();
                throw new TrialException(
                        "it ended with " + process.exitValue() + " and did not say " + word);
            }
            if (!heard.startsWith(word)) {
                throw new TrialException("it was to say " + word + ", and said: " + heard);
            }
            return heard.split(" ", -1);
        } catch (TimeoutException e) {
            throw new TrialException(
                    "it did not say " + word + " within " + STEP_SECONDS + " s", e);
        } catch (ExecutionException e) {
            throw new TrialException("its output cannot be read: " + e.getCause(), e);
        }
    }

    /** Waits for its end, which must be a good one. */
    void end() throws TrialException, InterruptedException {
        if (!process.waitFor(STEP_SECONDS, TimeUnit.SECONDS)) {
            throw new TrialException("it does not end");
        }
        if (process.exitValue() != 0) {
            throw new TrialException("it ended with " + process.exitValue());
        }
    }

    /** Ends it in the middle of what it does, and waits until it is gone. */
    void kill() throws InterruptedException {
        close();
        process.waitFor();
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}
