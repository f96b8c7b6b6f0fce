package facet.device.cpu;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.device.Context;
import facet.device.ContextOptions;
import facet.device.Device;
import facet.device.DeviceError;
import facet.device.DeviceException;
import facet.device.Event;
import facet.device.Kernel;
import facet.device.Launch;
import facet.device.Launch.Dim;
import facet.device.Stream;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
final class StreamTest {
    private final Device device = CpuDevice.create();
    private final Context context =
            device.createContext(ContextOptions.of("streams", 64 << 20).withFaults(line -> {}));

    @AfterEach
    void close() {
        device.close();
    }

    @Test
    void stepsOfAStreamRunInOrder() {
        int n = 1000;
        long cells = context.allocate(4L * n);
        Kernel add = context.load(Kernels.ADD).kernel("add");
        Stream stream = context.createStream();
        int[] middle = new int[n];
        int[] last = new int[n];
        List<String> order = Collections.synchronizedList(new ArrayList<>());
        stream.fill(cells, 7, 4, n);
        stream.launch(Launch.of(add, Dim.of(4), Dim.of(256), cells, n, 10));
        stream.callback(() -> order.add("first"));
        stream.copyFromDevice(MemorySegment.ofArray(middle), cells);
        stream.launch(Launch.of(add, Dim.of(4), Dim.of(256), cells, n, 100));
        stream.callback(() -> order.add("second"));
        stream.copyFromDevice(MemorySegment.ofArray(last), cells);
        stream.synchronize();
        for (int i = 0; i < n; i++) {
            assertEquals(17, middle[i]);
            assertEquals(117, last[i]);
        }
        assertEquals(List.of("first", "second"), order);
        assertTrue(stream.isIdle());
    }

    /** Collections stop all slices: one that launches much must not cause them. */
    @Test
    void aLaunchLeavesLittleGarbage() {
        int n = 4096;
        long cells = context.allocate(4L * n);
        Kernel add = context.load(Kernels.ADD).kernel("add");
        Stream stream = context.createStream();
        long before = 0;
        for (int i = 0; i < 2_000; i++) {
            if (i == 1_000) {
                stream.synchronize();
                before = allocated();
            }
            stream.launch(Launch.of(add, Dim.of(4), Dim.of(1000), cells, n, 1));
        }
        stream.synchronize();
        long each = (allocated() - before) / 1_000;
        assertTrue(each < 3_000, each + " bytes a launch");
    }

    /** By all threads so far. */
    private static long allocated() {
        return ((com.sun.management.ThreadMXBean)
                        java.lang.management.ManagementFactory.getThreadMXBean())
                .getTotalThreadAllocatedBytes();
    }

    @Test
    void streamsRunConcurrently() throws InterruptedException {
        long flag = context.allocate(4);
        long count = context.allocate(4);
        Kernel spin = context.load(Kernels.SPIN).kernel("spin");
        Stream waiting = context.createStream();
        Stream helping = context.createStream();
        waiting.launch(Launch.of(spin, Dim.of(1), Dim.of(1), flag, count));
        CountDownLatch ran = new CountDownLatch(1);
        helping.callback(ran::countDown);
        ran.await();
        assertFalse(waiting.isIdle());
        helping.fill(flag, 1, 4, 1);
        waiting.synchronize();
    }

    @Test
    void eventsOrderStreamsAndMeasureTime() {
        long rounds = 5_000_000;
        long out = context.allocate(8);
        Kernel loop = context.load(Kernels.LOOP).kernel("loop");
        Stream first = context.createStream();
        Stream second = context.createStream();
        Event start = context.createEvent();
        Event end = context.createEvent();
        assertTrue(start.isComplete());
        first.record(start);
        first.launch(Launch.of(loop, Dim.of(1), Dim.of(1), out, rounds));
        first.record(end);
        long[] seen = new long[1];
        second.await(end);
        second.copyFromDevice(MemorySegment.ofArray(seen), out);
        second.synchronize();
        end.synchronize();
        assertEquals(Kernels.loopResult(rounds), seen[0]);
        assertTrue(end.nanosSince(start) > 0);
        assertTrue(end.isComplete());
    }

    @Test
    void anEventThatIsNotReachedHasNoTime() {
        Event never = context.createEvent();
        DeviceException error = assertThrows(DeviceException.class, () -> never.nanosSince(never));
        assertEquals(DeviceError.INVALID_VALUE, error.error());
    }

    @Test
    void fillsAndCopies() {
        long a = context.allocate(1 << 20);
        long b = context.allocate(1 << 20);
        Stream stream = context.createStream();
        byte[] bytes = new byte[10_007];
        short[] shorts = new short[10_007];
        int[] ints = new int[10_007];
        stream.fill(a, 0x1ab, 1, bytes.length);
        stream.copy(b, a, bytes.length);
        stream.copyFromDevice(MemorySegment.ofArray(bytes), b);
        stream.fill(a, 0x12345, 2, shorts.length);
        stream.copyFromDevice(MemorySegment.ofArray(shorts), a);
        stream.fill(a, 0x12345678, 4, ints.length);
        stream.copyFromDevice(MemorySegment.ofArray(ints), a);
        stream.synchronize();
        byte[] expectedBytes = new byte[bytes.length];
        java.util.Arrays.fill(expectedBytes, (byte) 0xab);
        assertArrayEquals(expectedBytes, bytes);
        for (short each : shorts) {
            assertEquals(0x2345, each);
        }
        for (int each : ints) {
            assertEquals(0x12345678, each);
        }
        assertThrows(DeviceException.class, () -> stream.fill(a + 1, 0, 2, 1));
        assertThrows(DeviceException.class, () -> stream.fill(a, 0, 3, 1));
        assertThrows(DeviceException.class, () -> stream.copy(0x10, a, 4));
    }

    @Test
    void aCallbackThatThrowsEndsItsContextOnly() {
        Stream stream = context.createStream();
        stream.callback(() -> {
            throw new IllegalStateException("on purpose");
        });
        DeviceException error = assertThrows(DeviceException.class, stream::synchronize);
        assertEquals(DeviceError.LAUNCH_FAILED, error.error());
        Context other = device.createContext(ContextOptions.of("other", 1 << 20));
        Stream works = other.createStream();
        CountDownLatch ran = new CountDownLatch(1);
        works.callback(ran::countDown);
        works.synchronize();
        assertEquals(0, ran.getCount());
    }

    @Test
    void manySmallLaunchesFromManyThreads() throws InterruptedException {
        Kernel add = context.load(Kernels.ADD).kernel("add");
        int threads = 6;
        int launches = 500;
        List<Thread> callers = new ArrayList<>();
        List<Throwable> problems = Collections.synchronizedList(new ArrayList<>());
        for (int i = 0; i < threads; i++) {
            callers.add(
                    Thread.ofPlatform()
                            .start(() -> {
                                try {
                                    int n = 300;
                                    long cells = context.allocate(4L * n);
                                    Stream stream = context.createStream();
                                    for (int j = 0; j < launches; j++) {
                                        stream.launch(
                                                Launch.of(
                                                        add, Dim.of(3), Dim.of(128), cells, n, 1));
                                        if (j % 50 == 0) {
                                            stream.synchronize();
                                        }
                                    }
                                    int[] values = new int[n];
                                    stream.copyFromDevice(MemorySegment.ofArray(values), cells);
                                    stream.synchronize();
                                    for (int value : values) {
                                        assertEquals(launches, value);
                                    }
                                } catch (Throwable e) {
                                    problems.add(e);
                                }
                            }));
        }
        for (Thread caller : callers) {
            caller.join();
        }
        assertEquals(List.of(), problems);
    }

    /** What the other does takes any time, or for ever: who ends does not wait for it. */
    @Test
    void aContextEndsWhileItsStreamsStandAtEventsOfAnother() {
        try (Context other = device.createContext(ContextOptions.of("other", 1 << 20))) {
            Stream theirs = other.createStream();
            CompletableFuture<Runnable> goOn = new CompletableFuture<>();
            theirs.suspend(goOn::complete);
            Event event = other.createEvent();
            theirs.record(event);
            Stream own = context.createStream();
            own.await(event);
            assertFalse(own.isIdle());
            assertTimeoutPreemptively(Duration.ofMinutes(1), context::close);
            assertTrue(own.isIdle());
            assertFalse(event.isComplete());
            goOn.join().run();
            theirs.synchronize();
            assertTrue(event.isComplete());
        }
    }

    /** The record lies behind what waits for it, by a step that was suspended meanwhile. */
    @Test
    void aStoppedContextDoesNotStandAtItsOwnEvent() {
        Stream stream = context.createStream();
        Stream side = context.createStream();
        Event event = context.createEvent();
        CompletableFuture<Runnable> goOn = new CompletableFuture<>();
        stream.suspend(goOn::complete);
        stream.record(event);
        goOn.join();
        side.await(event);
        side.whenEnded(goOn.join());
        assertFalse(side.isIdle());
        context.stop();
        assertTimeoutPreemptively(Duration.ofMinutes(1), context::close);
        assertTrue(event.isComplete());
    }
}
