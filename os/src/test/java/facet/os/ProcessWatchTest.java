package facet.os;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class ProcessWatchTest {
    private final List<Process> processes = new ArrayList<>();

    @AfterEach
    void end() {
        processes.forEach(Process::destroyForcibly);
    }

    private Process sleeping() throws IOException {
        Process process = new ProcessBuilder("sleep", "1000").start();
        processes.add(process);
        return process;
    }

    @Test
    void theEndOfEachIsToldOnce() throws Exception {
        int count = 20;
        AtomicInteger told = new AtomicInteger();
        CountDownLatch all = new CountDownLatch(count);
        try (ProcessWatch watch = ProcessWatch.open()) {
            for (int i = 0; i < count; i++) {
                ProcessWatch.Watched each =
                        watch.watch(
                                (int) sleeping().pid(),
                                () -> {
                                    told.incrementAndGet();
                                    all.countDown();
                                });
                assertFalse(each.hasEnded());
            }
            processes.forEach(Process::destroyForcibly);
            assertTrue(all.await(60, TimeUnit.SECONDS));
            Thread.sleep(50);
            assertEquals(count, told.get());
        }
    }

    @Test
    void whatIsNotWatchedAnyMoreIsNotTold() throws Exception {
        AtomicInteger told = new AtomicInteger();
        CountDownLatch other = new CountDownLatch(1);
        try (ProcessWatch watch = ProcessWatch.open()) {
            Process first = sleeping();
            Process second = sleeping();
            ProcessWatch.Watched closed = watch.watch((int) first.pid(), told::incrementAndGet);
            watch.watch((int) second.pid(), other::countDown);
            closed.close();
            first.destroyForcibly().waitFor();
            second.destroyForcibly().waitFor();
            assertTrue(other.await(60, TimeUnit.SECONDS));
            assertEquals(0, told.get());
        }
    }

    @Test
    void aProcessThatIsNotThereIsAnError() throws Exception {
        Process gone = sleeping();
        gone.destroyForcibly().waitFor();
        try (ProcessWatch watch = ProcessWatch.open()) {
            IOException refused =
                    assertThrows(IOException.class, () -> watch.watch((int) gone.pid(), () -> {}));
            assertTrue(String.valueOf(refused.getMessage()).contains("No such process"));
        }
    }

    @Test
    void nothingIsToldAfterItsEnd() throws Exception {
        AtomicInteger told = new AtomicInteger();
        ProcessWatch watch = ProcessWatch.open();
        Process process = sleeping();
        watch.watch((int) process.pid(), told::incrementAndGet);
        watch.close();
        watch.close();
        process.destroyForcibly().waitFor();
        assertThrows(IOException.class, () -> watch.watch(1, () -> {}));
        assertEquals(0, told.get());
    }
}
