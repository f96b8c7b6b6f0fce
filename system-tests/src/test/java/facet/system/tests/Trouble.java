package facet.system.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** Runs programs that make trouble in one slice, and looks at what they were told. */
final class Trouble {
    /** Everything so many times as much. */
    static final int SOAK = Integer.getInteger("soak", 1);

    private static final int MOST_SECONDS = 60;

    private final Builder builder;
    private final String socket;

    Trouble(Builder builder, String socket) {
        this.builder = builder;
        this.socket = socket;
    }

    private Path program(String name) {
        return builder.driver(Program.of(Places.DRIVER.resolve(name + ".c")));
    }

    Process begin(String program, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(program(program).toString()));
        command.addAll(List.of(arguments));
        return Runner.start(command, Places.BUILT, Slices.environment(socket, false));
    }

    /** Runs a program to its end; its last line must begin like this. */
    void expect(String start, String program, String... arguments) {
        List<String> command = new ArrayList<>(List.of(program(program).toString()));
        command.addAll(List.of(arguments));
        Outcome outcome =
                Runner.run(
                        command,
                        Places.BUILT,
                        Slices.environment(socket, false),
                        MOST_SECONDS * SOAK);
        assertTrue(outcome.ok(), outcome.report());
        String last = outcome.output().lines().reduce("", (a, b) -> b);
        assertTrue(last.startsWith(start), () -> start + " expected: " + outcome.report());
    }

    /** Begins a program, waits until it says that it is under way, lets it go on for a while. */
    Process beginAndWait(String line, long millis, String program, String... arguments)
            throws IOException, InterruptedException {
        Process process = begin(program, arguments);
        BufferedReader lines = process.inputReader();
        assertEquals(line, lines.readLine(), "what " + program + " says");
        Thread.sleep(millis);
        return process;
    }

    static void kill(Process process) throws InterruptedException {
        process.destroyForcibly();
        assertTrue(process.waitFor(60, TimeUnit.SECONDS), "a killed program is still there");
    }

    static void signal(String name, Process process) throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start();
        assertEquals(0, kill.waitFor(), "kill -" + name);
    }

    /** Kills a program that does all kinds of things, each time at another instant. */
    void killAtRandomInstants(int times, long seed) throws IOException, InterruptedException {
        Random random = new Random(seed);
        for (int i = 0; i < times; i++) {
            Process process = begin("trouble_work");
            // Longer than it takes to connect, to load its module and to do some rounds.
            Thread.sleep(random.nextInt(50));
            kill(process);
        }
    }
}
