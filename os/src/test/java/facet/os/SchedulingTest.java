package facet.os;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

final class SchedulingTest {
    private static final int SELF = (int) ProcessHandle.current().pid();

    @Test
    void theSystemTakesTurns() {
        assertTrue(SchedulingUnsafe.askForTurns(200_000));
        assertTrue(SchedulingUnsafe.askForTurns(3_000_000));
    }

    @Test
    void onlyThreadsOfThatNameStepBack() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        Thread one = Thread.ofPlatform().name("polite").start(() -> await(end));
        Thread other = Thread.ofPlatform().name("usual").start(() -> await(end));
        while (niceOf("polite").isEmpty() || niceOf("usual").isEmpty()) {
            Thread.sleep(1); // they are named when they run
        }
        OptionalInt before = niceOf("usual");
        assertTrue(SchedulingUnsafe.set(SELF, "polite"::equals, 19));
        assertEquals(OptionalInt.of(19), niceOf("polite"));
        assertEquals(before, niceOf("usual"));
        end.countDown();
        one.join();
        other.join();
    }

    @Test
    void whatSteppedBackComesForwardAgain() throws Exception {
        assumeTrue(SchedulingUnsafe.isReversible(), "only root's threads may");
        CountDownLatch end = new CountDownLatch(1);
        Thread thread =
                Thread.ofPlatform()
                        .name("forward")
                        .start(() -> {
                            SchedulingUnsafe.askForTurns(3_000_000);
                            await(end);
                        });
        while (niceOf("forward").isEmpty()) {
            Thread.sleep(1);
        }
        OptionalInt before = niceOf("forward");
        assertTrue(SchedulingUnsafe.set(SELF, "forward"::equals, SchedulingUnsafe.MOST_NICE));
        int usual = SchedulingUnsafe.ownNiceness();
        assertTrue(SchedulingUnsafe.set(SELF, "forward"::equals, usual));
        assertEquals(before, niceOf("forward"));
        end.countDown();
        thread.join();
    }

    private static void await(CountDownLatch end) {
        try {
            end.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Empty while there is no such thread. */
    private static OptionalInt niceOf(String name) throws IOException {
        try (var threads = Files.list(Path.of("/proc/" + SELF + "/task"))) {
            for (Path each : threads.toList()) {
                if (Files.readString(each.resolve("comm")).strip().equals(name)) {
                    String stat = Files.readString(each.resolve("stat"));
                    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
                    return OptionalInt.of(Integer.parseInt(fields[16]));
                }
            }
        }
        return OptionalInt.empty();
    }
}
