package facet.device.cpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.device.Arbiter;
import facet.device.Context;
import facet.device.ContextOptions;
import facet.device.Device;
import facet.device.Kernel;
import facet.device.Launch;
import facet.device.Launch.Dim;
import facet.device.Stream;
import facet.device.SubmittingThread;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Threads that do what they bring. */
@Timeout(120)
final class VisitTest {
    private static final long ENDLESS = Long.MAX_VALUE;

    /** The thread has nothing else to do. */
    private static void nobody() {}

    private final TakingTurns arbiter = new TakingTurns(1);
    private final TakingTurns.Member share = arbiter.join();
    private final Device device =
            CpuDevice.create(CpuDevice.profile("test", 1L << 30, 1), 1, arbiter);
    private final Context context = context(share);
    private final Kernel loop = context.load(Kernels.LOOP).kernel("loop");
    private final long out = context.allocate(8);
    private final Stream stream = context.createStream();

    @AfterEach
    void close() {
        device.close();
    }

    private Context context(Arbiter.Share owner) {
        return device.createContext(ContextOptions.of("test", 16 << 20).withShare(owner));
    }

    /** As if its launches had taken nothing so far. */
    private static void seemsShort(Kernel kernel) {
        seemsShort(kernel, 1);
    }

    private static void seemsShort(Kernel kernel, long threads) {
        for (int i = 0; i < 100; i++) {
            ((CpuKernel) kernel).pace().took(threads, 0);
        }
    }

    private void launch(long rounds) {
        seemsShort(loop);
        stream.launch(Launch.of(loop, Dim.of(1), Dim.of(1), out, rounds));
    }

    private static long read(Stream stream, long address) {
        long[] value = new long[1];
        stream.copyFromDevice(MemorySegment.ofArray(value), address);
        stream.synchronize();
        return value[0];
    }

    /**
     * Does something here: the seat's own thread may not sleep yet, or not have left the stream.
     * From then on it sleeps.
     */
    private void visit(SubmittingThread own) {
        AtomicReference<Thread> did = new AtomicReference<>();
        while (!Thread.currentThread().equals(did.get())) {
            stream.synchronize();
            int before = arbiter.picked(share);
            launch(10);
            stream.whenEnded(() -> did.set(Thread.currentThread()));
            assertFalse(own.isHolding() && stream.isIdle(), "it has begun");
            own.doHere(VisitTest::nobody);
            assertFalse(own.isHolding());
            stream.synchronize();
            assertTrue(arbiter.picked(share) > before || !Thread.currentThread().equals(did.get()));
        }
    }

    @Test
    void shortWorkIsDoneByWhoBringsIt() {
        try (SubmittingThread own = SubmittingThread.enter()) {
            visit(own);
        }
        assertEquals(Kernels.loopResult(10), read(stream, out));
    }

    @Test
    void whatIsNotKnownToBeShortIsNotHeld() {
        try (SubmittingThread own = SubmittingThread.enter()) {
            stream.launch(Launch.of(loop, Dim.of(1), Dim.of(1), out, 10L));
            assertFalse(own.isHolding());
            stream.synchronize();
        }
    }

    @Test
    void whoWaitsNeedNotBeginItBefore() {
        try (SubmittingThread own = SubmittingThread.enter()) {
            launch(10);
            assertTrue(own.isHolding());
            stream.synchronize();
            assertFalse(own.isHolding());
        }
        assertEquals(Kernels.loopResult(10), read(stream, out));
    }

    @Test
    void whatIsHeldBeginsWhenTheThreadEnds() {
        try (SubmittingThread own = SubmittingThread.enter()) {
            launch(10);
            assertTrue(own.isHolding());
        }
        stream.synchronize();
        assertEquals(Kernels.loopResult(10), read(stream, out));
    }

    @Test
    void whatFollowsAndMayTakeLongIsTheDevices() {
        AtomicReference<Thread> did = new AtomicReference<>();
        try (SubmittingThread own = SubmittingThread.enter()) {
            launch(10);
            stream.callback(() -> did.set(Thread.currentThread()));
            own.doHere(VisitTest::nobody);
        }
        stream.synchronize();
        assertNotEquals(Thread.currentThread(), did.get());
    }

    /** A thread that brings a kernel which never ends, though it seemed to be short. */
    private final class Bringer implements AutoCloseable {
        private final CountDownLatch taken = new CountDownLatch(1);
        private final Thread thread =
                Thread.ofPlatform()
                        .start(() -> {
                            try (SubmittingThread own = SubmittingThread.enter()) {
                                visit(own);
                                launch(ENDLESS);
                                own.doHere(taken::countDown);
                            }
                        });

        @Override
        public void close() {
            context.stop();
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError("interrupted", e);
            }
            context.close();
        }
    }

    @Test
    void longWorkIsToldOf() throws InterruptedException {
        try (Bringer bringer = new Bringer()) {
            bringer.taken.await();
            assertTrue(arbiter.sits(share));
        }
        assertFalse(arbiter.sits(share));
    }

    @Test
    void aVisitorMakesRoomForOthers() throws InterruptedException {
        Context other = context(arbiter.join());
        try (Bringer bringer = new Bringer()) {
            bringer.taken.await();
            // There is one seat, and the visitor has it.
            Kernel kernel = other.load(Kernels.LOOP).kernel("loop");
            long result = other.allocate(8);
            Stream second = other.createStream();
            for (int i = 1; i < 20; i++) {
                second.launch(Launch.of(kernel, Dim.of(1), Dim.of(1), result, (long) i));
                assertEquals(Kernels.loopResult(i), read(second, result));
            }
        }
    }

    @Test
    void aVisitorIsPausedAndGoesOn() throws InterruptedException {
        Context other = context(arbiter.join());
        try (Bringer bringer = new Bringer()) {
            bringer.taken.await();
            context.pause();
            while (arbiter.sits(share)) {
                Thread.onSpinWait();
            }
            assertEquals(0, read(other.createStream(), other.allocate(8)));
            context.resume();
            while (!arbiter.sits(share)) {
                Thread.onSpinWait();
            }
        }
    }

    @Test
    void whileOthersWaitNobodyVisits() {
        Context other = context(arbiter.join());
        Kernel endless = other.load(Kernels.LOOP).kernel("loop");
        other.createStream()
                .launch(Launch.of(endless, Dim.of(1), Dim.of(1), other.allocate(8), ENDLESS));
        AtomicReference<Thread> did = new AtomicReference<>();
        try (SubmittingThread own = SubmittingThread.enter()) {
            launch(10);
            stream.whenEnded(() -> did.set(Thread.currentThread()));
            own.doHere(VisitTest::nobody);
            stream.synchronize();
        }
        assertNotEquals(Thread.currentThread(), did.get());
        other.close();
    }

    @Test
    void manyThreadsThatVisitAndDevicesThreadsDoAllWork() throws InterruptedException {
        Thread[] all = new Thread[6];
        for (int i = 0; i < all.length; i++) {
            all[i] = Thread.ofPlatform().start(this::bringMany);
        }
        for (Thread each : all) {
            each.join();
        }
    }

    private void bringMany() {
        Context own = context(arbiter.join());
        Kernel kernel = own.load(Kernels.LOOP).kernel("loop");
        Stream first = own.createStream();
        Stream second = own.createStream();
        long results = own.allocate(16);
        try (SubmittingThread thread = SubmittingThread.enter()) {
            for (long i = 1; i < 500; i++) {
                seemsShort(kernel);
                first.launch(Launch.of(kernel, Dim.of(1), Dim.of(1), results, i));
                second.launch(Launch.of(kernel, Dim.of(1), Dim.of(1), results + 8, i + 1));
                if (i % 3 == 0) {
                    thread.handOver();
                } else {
                    thread.doHere(VisitTest::nobody);
                }
                assertEquals(Kernels.loopResult(i), read(first, results));
                assertEquals(Kernels.loopResult(i + 1), read(second, results + 8));
            }
        }
        own.close();
    }

    /** Between two blocks is a good place to leave a launch to those who have time for it. */
    @Test
    void whatTakesLongIsTheDevicesInTheEnd() {
        Kernel add = context.load(Kernels.ADD).kernel("add");
        AtomicReference<Thread> did = new AtomicReference<>();
        try (SubmittingThread own = SubmittingThread.enter()) {
            visit(own);
            seemsShort(add, Long.MAX_VALUE);
            stream.launch(Launch.of(add, Dim.of(1 << 20), Dim.of(1), out, 0, 0));
            stream.whenEnded(() -> did.set(Thread.currentThread()));
            assertTrue(own.isHolding());
            own.doHere(VisitTest::nobody);
            stream.synchronize();
        }
        assertNotEquals(Thread.currentThread(), did.get());
    }
}
