package facet.ring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.abi.RingControlLayout;
import facet.os.Descriptors;
import facet.os.SharedMemoryUnsafe;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Producer and consumer on threads of their own, each with its own mapping. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class TwoThreadsTest {
    private static final int BYTES = 1024;
    private static final int RECORDS = 200_000;
    private static final long SEED = Long.getLong("facet.seed", 3);
    private static final Executor THREADS = task -> Thread.ofPlatform().daemon().start(task);

    private interface Task {
        void run() throws Exception;
    }

    private static CompletableFuture<Void> start(Task task) {
        return CompletableFuture.runAsync(
                () -> {
                    try {
                        task.run();
                    } catch (Exception e) {
                        throw new AssertionError(e);
                    }
                },
                THREADS);
    }

    private static SharedMemoryUnsafe ringMemory() throws IOException {
        SharedMemoryUnsafe memory =
                SharedMemoryUnsafe.create("ring", RingControlLayout.BYTES + BYTES);
        new RingMemory(memory.segment(), 0, BYTES, Parking.FUTEX).format();
        return memory;
    }

    @Test
    void recordsOfRandomSizesArriveWhole() throws Exception {
        System.out.println("seed " + SEED);
        try (SharedMemoryUnsafe memory = ringMemory();
                SharedMemoryUnsafe other =
                        SharedMemoryUnsafe.attach(Descriptors.duplicate(memory.descriptor()))) {
            RingWriter writer = RingWriter.of(other.segment(), 0, BYTES);
            RingReader reader = RingReader.of(memory.segment(), 0, BYTES);
            CompletableFuture<Void> producer =
                    start(() -> {
                        Random lengths = new Random(SEED);
                        Random pauses = new Random(SEED + 1);
                        for (int i = 1; i <= RECORDS; i++) {
                            MemorySegment record = Rings.record(i, length(lengths));
                            assertTrue(writer.offer(record, Long.MAX_VALUE));
                            pause(pauses);
                        }
                    });
            CompletableFuture<Void> consumer =
                    start(() -> {
                        Random lengths = new Random(SEED);
                        Random pauses = new Random(SEED + 2);
                        for (int i = 1; i <= RECORDS; i++) {
                            MemorySegment record = reader.take();
                            assertNotNull(record);
                            Rings.assertRecord(i, length(lengths), record);
                            pause(pauses);
                        }
                    });
            CompletableFuture.allOf(producer, consumer).get(100, TimeUnit.SECONDS);
            assertNull(reader.poll());
        }
    }

    private static int length(Random random) {
        return 24 + 8 * random.nextInt((BYTES / 2 - 24) / 8 + 1);
    }

    /** Now and then so long that the other side goes to sleep. */
    private static void pause(Random random) {
        if (random.nextInt(500) == 0) {
            long end = System.nanoTime() + random.nextInt(300_000);
            while (System.nanoTime() < end) {
                Thread.onSpinWait();
            }
        }
    }

    @Test
    void waitsEndAfterTheirTime() throws Exception {
        try (SharedMemoryUnsafe memory = ringMemory()) {
            RingReader reader = RingReader.of(memory.segment(), 0, BYTES);
            RingWriter writer = RingWriter.of(memory.segment(), 0, BYTES);
            long start = System.nanoTime();
            assertFalse(reader.await(20_000_000));
            assertTrue(System.nanoTime() - start >= 20_000_000);
            assertTrue(writer.offer(Rings.record(1, 512)));
            assertTrue(writer.offer(Rings.record(2, 512)));
            start = System.nanoTime();
            assertFalse(writer.offer(Rings.record(3, 512), 20_000_000));
            assertTrue(System.nanoTime() - start >= 20_000_000);
            assertTrue(reader.await(0));
        }
    }

    @Test
    void closeEndsWaits() throws Exception {
        try (SharedMemoryUnsafe memory = ringMemory()) {
            RingReader reader = RingReader.of(memory.segment(), 0, BYTES);
            CompletableFuture<Void> consumer = start(() -> assertNull(reader.take()));
            sleepUntilAsleep(memory, RingControlLayout.READER_SLEEPS_OFFSET);
            reader.close();
            consumer.get(60, TimeUnit.SECONDS);

            RingWriter writer = RingWriter.of(memory.segment(), 0, BYTES);
            assertTrue(writer.offer(Rings.record(1, 512)));
            assertTrue(writer.offer(Rings.record(2, 512)));
            CompletableFuture<Void> producer =
                    start(() -> assertFalse(writer.offer(Rings.record(3, 512), Long.MAX_VALUE)));
            sleepUntilAsleep(memory, RingControlLayout.WRITER_SLEEPS_OFFSET);
            writer.close();
            producer.get(60, TimeUnit.SECONDS);
        }
    }

    private static void sleepUntilAsleep(SharedMemoryUnsafe memory, long flag)
            throws InterruptedException {
        while (memory.segment().get(java.lang.foreign.ValueLayout.JAVA_INT, flag) == 0) {
            Thread.sleep(5);
        }
    }

    @Test
    void idleReaderUsesNoProcessorTime() throws Exception {
        try (SharedMemoryUnsafe memory = ringMemory()) {
            RingReader reader = RingReader.of(memory.segment(), 0, BYTES);
            Thread thread =
                    Thread.ofPlatform()
                            .start(() -> {
                                try {
                                    assertNull(reader.take());
                                } catch (MalformedRecord e) {
                                    throw new AssertionError(e);
                                }
                            });
            sleepUntilAsleep(memory, RingControlLayout.READER_SLEEPS_OFFSET);
            Thread.sleep(50);
            ThreadMXBean threads = ManagementFactory.getThreadMXBean();
            long before = threads.getThreadCpuTime(thread.threadId());
            Thread.sleep(300);
            long used = threads.getThreadCpuTime(thread.threadId()) - before;
            reader.close();
            thread.join(60_000);
            assertTrue(used < 1_000_000, "nanoseconds: " + used);
            assertEquals(Thread.State.TERMINATED, thread.getState());
        }
    }
}
