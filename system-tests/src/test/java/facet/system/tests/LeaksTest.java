package facet.system.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A daemon that has served many programs is as it was after the first ones. */
class LeaksTest {
    private static final int PROGRAMS = 60;

    @Test
    void programsLeaveNothing() throws IOException, InterruptedException {
        Path add = new Builder().driver(Program.of(Places.DRIVER.resolve("vector_add.c")));
        Path broken = new Builder().driver(Program.of(Places.DRIVER.resolve("sticky.c")));
        try (Daemon daemon = Daemon.start()) {
            Slices slices = new Slices(daemon);
            long descriptors = 0;
            long mappings = 0;
            for (int i = 0; i < PROGRAMS; i++) {
                Outcome outcome = slices.run(i % 2 == 0 ? add : broken, false);
                assertEquals(0, outcome.status(), outcome.report());
                if (i == PROGRAMS / 3) {
                    settle(daemon);
                    descriptors = descriptors(daemon);
                    mappings = mappings(daemon);
                }
            }
            settle(daemon);
            // What a session had is given back a moment after it is over.
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            long more;
            long moreMappings;
            do {
                Thread.sleep(100);
                more = descriptors(daemon) - descriptors;
                moreMappings = mappings(daemon) - mappings;
            } while ((more >= 5 || moreMappings >= 10) && System.nanoTime() < end);
            assertTrue(more < 5, more + " more descriptors after " + PROGRAMS * 2 / 3);
            assertTrue(
                    moreMappings < 10, moreMappings + " more mappings after " + PROGRAMS * 2 / 3);
        }
    }

    private static void settle(Daemon daemon) throws IOException, InterruptedException {
        while (!daemon.sessions().isEmpty()) {
            Thread.sleep(20);
        }
        Thread.sleep(300);
    }

    private static long descriptors(Daemon daemon) throws IOException {
        try (Stream<Path> files = Files.list(Path.of("/proc/" + daemon.process() + "/fd"))) {
            return files.count();
        }
    }

    /** Of shared memory; those of the JVM come and go. */
    private static long mappings(Daemon daemon) throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc/" + daemon.process() + "/maps"))) {
            return lines.filter(line -> line.contains("memfd:")).count();
        }
    }
}
