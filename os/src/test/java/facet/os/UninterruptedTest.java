package facet.os;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class UninterruptedTest {
    private final Object lock = new Object();
    private boolean holds = true;

    @AfterEach
    void forget() {
        Thread.interrupted();
    }

    @Test
    void anInterruptIsKeptForLater() {
        Thread.currentThread().interrupt();
        Thread other =
                Thread.ofVirtual()
                        .start(() -> {
                            synchronized (lock) {
                                holds = false;
                                lock.notifyAll();
                            }
                        });
        synchronized (lock) {
            Uninterrupted.waitWhile(lock, () -> holds);
            assertFalse(holds);
        }
        assertTrue(Thread.interrupted());
        Uninterrupted.until(() -> {
            other.join();
            return true;
        });
        assertFalse(Thread.currentThread().isInterrupted());
    }

    @Test
    void aLatch() {
        CountDownLatch latch = new CountDownLatch(1);
        Thread.currentThread().interrupt();
        Thread.ofVirtual().start(latch::countDown);
        Uninterrupted.await(latch);
        assertEquals(0, latch.getCount());
        assertTrue(Thread.interrupted());
    }

    @Test
    void whatIsThrownEndsIt() {
        Thread.currentThread().interrupt();
        assertThrows(
                IllegalStateException.class,
                () ->
                        Uninterrupted.until(() -> {
                            if (Thread.interrupted()) {
                                throw new InterruptedException();
                            }
                            throw new IllegalStateException();
                        }));
        assertTrue(Thread.interrupted());
    }
}
