package facet.os;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class FutexTest {
    private static final VarHandle WORD = JAVA_INT.varHandle();

    @Test
    void anotherValueDoesNotSleep() throws Exception {
        try (SharedMemoryUnsafe memory = SharedMemoryUnsafe.create("test", 64)) {
            assertTrue(FutexUnsafe.await(memory.segment(), 8, 1, Long.MAX_VALUE));
        }
    }

    @Test
    void timeEnds() throws Exception {
        try (SharedMemoryUnsafe memory = SharedMemoryUnsafe.create("test", 64)) {
            long start = System.nanoTime();
            assertFalse(FutexUnsafe.await(memory.segment(), 8, 0, 20_000_000));
            assertTrue(System.nanoTime() - start >= 20_000_000);
            assertFalse(FutexUnsafe.await(memory.segment(), 8, 0, 0));
        }
    }

    @Test
    void wakesThroughAnotherMapping() throws Exception {
        try (SharedMemoryUnsafe memory = SharedMemoryUnsafe.create("test", 64);
                SharedMemoryUnsafe other =
                        SharedMemoryUnsafe.attach(Descriptors.duplicate(memory.descriptor()))) {
            MemorySegment segment = memory.segment();
            assertEquals(0, FutexUnsafe.wake(segment, 8, 1));
            CompletableFuture<Integer> sleeper = new CompletableFuture<>();
            Thread thread =
                    Thread.ofPlatform()
                            .start(() -> {
                                while ((int) WORD.getVolatile(segment, 8L) == 0) {
                                    FutexUnsafe.await(segment, 8, 0, Long.MAX_VALUE);
                                }
                                sleeper.complete((int) WORD.getVolatile(segment, 8L));
                            });
            while (FutexUnsafe.wake(other.segment(), 8, 1) == 0) {
                Thread.onSpinWait();
            }
            WORD.setVolatile(other.segment(), 8L, 5);
            FutexUnsafe.wake(other.segment(), 8, 1);
            assertEquals(5, sleeper.get(60, TimeUnit.SECONDS));
            thread.join();
        }
    }

    @Test
    void wordsOutsideOrAcrossAreRefused() throws Exception {
        try (SharedMemoryUnsafe memory = SharedMemoryUnsafe.create("test", 64)) {
            MemorySegment segment = memory.segment().asSlice(0, 64);
            assertThrows(IndexOutOfBoundsException.class, () -> FutexUnsafe.wake(segment, 64, 1));
            assertThrows(IllegalArgumentException.class, () -> FutexUnsafe.wake(segment, 2, 1));
        }
    }
}
