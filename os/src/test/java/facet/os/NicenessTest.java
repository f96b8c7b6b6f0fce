package facet.os;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

final class NicenessTest {
    @Test
    void onlyThreadsOfThatNameStepBack() throws IOException, InterruptedException {
        CountDownLatch end = new CountDownLatch(1);
        Thread one = Thread.ofPlatform().name("polite").start(() -> await(end));
        Thread other = Thread.ofPlatform().name("usual").start(() -> await(end));
        int self = (int) ProcessHandle.current().pid();
        while (niceOf(self, "polite").isEmpty() || niceOf(self, "usual").isEmpty()) {
            Thread.sleep(1); // they are named when they run
        }
        OptionalInt before = niceOf(self, "usual");
        assertTrue(NicenessUnsafe.set(self, "polite"::equals, 19));
        assertEquals(OptionalInt.of(19), niceOf(self, "polite"));
        assertEquals(before, niceOf(self, "usual"));
        end.countDown();
        one.join();
        other.join();
    }

    private static void await(CountDownLatch end) {
        try {
            end.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Empty while there is no such thread. */
    private static OptionalInt niceOf(int process, String name) throws IOException {
        try (var threads = Files.list(Path.of("/proc/" + process + "/task"))) {
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
