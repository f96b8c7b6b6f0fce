package facet.system.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The program that must not notice anything; driver/neighbour.c says what its lines mean. */
final class Neighbour implements AutoCloseable {
    /** Rounds after which it begins anew. */
    static final int EPOCH = 128;

    /** What it said about a round. */
    record Round(int number, String checksum) {}

    private final Process process;
    private final long address;
    private final List<Round> rounds = new ArrayList<>();
    private String wrong = "";

    private Neighbour(Process process, long address) {
        this.process = process;
        this.address = address;
    }

    static Neighbour begin(Path program, String socket) throws IOException {
        Process process =
                Runner.start(
                        List.of(program.toString()),
                        Places.BUILT,
                        Slices.environment(socket, false));
        BufferedReader lines = process.inputReader();
        String first = lines.readLine();
        assertTrue(first != null && first.matches("\\d+"), "the neighbour said '" + first + "'");
        Neighbour neighbour = new Neighbour(process, Long.parseLong(first));
        Thread.ofPlatform().daemon().start(() -> neighbour.read(lines));
        return neighbour;
    }

    private void read(BufferedReader lines) {
        try (lines) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] words = line.split(" ", -1);
                synchronized (this) {
                    if (words.length == 2 && words[1].length() == 16) {
                        int number = Integer.parseInt(words[0]);
                        rounds.add(new Round(number, words[1]));
                    } else {
                        wrong = line;
                    }
                    notifyAll();
                }
            }
        } catch (IOException | NumberFormatException e) {
            synchronized (this) {
                wrong = e.toString();
            }
        }
    }

    /** Where its memory is, in its own address space. */
    long address() {
        return address;
    }

    synchronized int count() {
        return rounds.size();
    }

    /** Waits until there are so many rounds. */
    synchronized void await(int count) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (rounds.size() < count) {
            assertEquals("", wrong, "what the neighbour said");
            long left = end - System.nanoTime();
            assertTrue(left > 0, "the neighbour does not come on: round " + rounds.size());
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
    }

    synchronized List<String> checksums(int from, int to) {
        return rounds.subList(from, to).stream().map(Round::checksum).toList();
    }

    /** Fails unless all of these rounds gave what they give when nobody else is there. */
    synchronized void check(int from, List<String> alone) {
        assertEquals("", wrong, "what the neighbour said");
        assertTrue(process.isAlive(), "the neighbour has ended");
        for (int i = from; i < rounds.size(); i++) {
            assertEquals(i, rounds.get(i).number);
            assertEquals(alone.get(i % EPOCH), rounds.get(i).checksum, "round " + i);
        }
    }

    @Override
    public void close() throws IOException {
        process.getOutputStream().close();
        try {
            if (!process.waitFor(60, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
