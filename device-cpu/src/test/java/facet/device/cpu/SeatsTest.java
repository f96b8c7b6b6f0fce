package facet.device.cpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.device.Arbiter;
import facet.device.Context;
import facet.device.ContextOptions;
import facet.device.Device;
import facet.device.Kernel;
import facet.device.Launch;
import facet.device.Launch.Dim;
import facet.device.Stream;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Threads of the device when more work has begun than there are seats. */
@Timeout(120)
final class SeatsTest {
    private static final int SEATS = 2;

    /** Of one share, and what the seats hold beside it. */
    private static final int MOST_THREADS = 128 + 2 * SEATS;

    private static final int STREAMS = 400;
    private static final long ENDLESS = Long.MAX_VALUE;

    private final Restless arbiter = new Restless();
    private final Device device =
            CpuDevice.create(CpuDevice.profile("test", 1L << 30, SEATS), SEATS, arbiter);
    private Set<Thread> before = Set.of();

    /** Wants the seat back at every poll, and gives it to each of the shares in turn. */
    private static final class Restless implements Arbiter {
        private final List<Waiting> shares = new ArrayList<>();
        private final Waiting unnamed = share();
        private final Place place = new Place();
        private volatile int picks;
        private int last;

        private static final class Waiting implements Share {
            private int pieces;
            private boolean shutOut;
        }

        private synchronized Waiting share() {
            Waiting share = new Waiting();
            shares.add(share);
            return share;
        }

        /** Nothing of the share gets a seat from now on. */
        private synchronized void shutOut(Waiting share) {
            share.shutOut = true;
        }

        @Override
        public Share unnamed() {
            return unnamed;
        }

        @Override
        public synchronized void submit(Share share, int change, long now) {
            ((Waiting) share).pieces += change;
        }

        @SuppressWarnings("NonAtomicVolatileUpdate") // under the monitor
        private synchronized @Nullable Share next() {
            for (int i = 1; i <= shares.size(); i++) {
                int number = (last + i) % shares.size();
                Waiting share = shares.get(number);
                if (share.pieces > 0 && !share.shutOut) {
                    share.pieces--;
                    last = number;
                    picks++;
                    return share;
                }
            }
            return null;
        }

        @Override
        public Seat seat(int number) {
            return place;
        }

        private final class Place implements Seat {
            @Override
            public @Nullable Share mayRun(long now) {
                return next();
            }

            @Override
            public long deadline() {
                return 0;
            }

            @Override
            public boolean givesWay(long now) {
                return true;
            }

            @Override
            public void ended(long now) {}

            @Override
            public void ended(long now, long nanos) {}

            @Override
            public long nextLook(long now) {
                return 1L << 62;
            }
        }

        @Override
        public void whenChanged(Runnable action) {}

        private void awaitPicks(int more) throws InterruptedException {
            for (int target = picks + more; picks < target; ) {
                Thread.sleep(5);
            }
        }
    }

    @BeforeEach
    void remember() {
        before = new HashSet<>(Thread.getAllStackTraces().keySet());
    }

    @AfterEach
    void close() {
        device.close();
    }

    private int threads() {
        int count = 0;
        for (Thread each : Thread.getAllStackTraces().keySet()) {
            count += each instanceof Worker && !before.contains(each) ? 1 : 0;
        }
        return count;
    }

    private Context context(Arbiter.Share share) {
        return device.createContext(ContextOptions.of("test", 16 << 20).withShare(share));
    }

    /** Kernels that do not end by themselves, each in a stream of its own. */
    private static void launchEndless(Context context, int streams) {
        Kernel loop = context.load(Kernels.LOOP).kernel("loop");
        long out = context.allocate(8L * SEATS);
        for (int i = 0; i < streams; i++) {
            context.createStream().launch(Launch.of(loop, Dim.of(SEATS), Dim.of(1), out, ENDLESS));
        }
    }

    @Test
    void kernelsOfOneShareHaveFewThreads() throws InterruptedException {
        Context context = context(arbiter.share());
        launchEndless(context, STREAMS);
        arbiter.awaitPicks(4 * STREAMS);
        int most = threads();
        assertTrue(most <= MOST_THREADS, () -> most + " threads");
        assertTrue(most > SEATS, () -> most + " threads: kernels take turns");
        context.close();
        while (threads() > SEATS) {
            // Nobody wants them any more.
            Thread.sleep(50);
        }
    }

    @Test
    void oneShareWithManyLeavesThreadsToTheOthers() throws InterruptedException {
        Context greedy = context(arbiter.share());
        launchEndless(greedy, STREAMS);
        arbiter.awaitPicks(4 * STREAMS);

        Context modest = context(arbiter.share());
        long out = modest.allocate(8);
        Stream stream = modest.createStream();
        Kernel loop = modest.load(Kernels.LOOP).kernel("loop");
        stream.launch(Launch.of(loop, Dim.of(1), Dim.of(1), out, 1000L));
        long[] result = new long[1];
        stream.copyFromDevice(MemorySegment.ofArray(result), out);
        stream.synchronize();
        assertEquals(Kernels.loopResult(1000), result[0]);
    }

    @Test
    void allSharesTogetherHaveFewThreads() throws InterruptedException {
        List<Context> contexts = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            Context context = context(arbiter.share());
            contexts.add(context);
            launchEndless(context, STREAMS);
        }
        arbiter.awaitPicks(4 * STREAMS);
        int most = threads();
        assertTrue(most <= 4 * 128 + contexts.size() * 2 * SEATS, () -> most + " threads");
        contexts.forEach(Context::close);
    }

    @Test
    void whatHasToWaitBeginsWhenAnotherEnds() throws InterruptedException {
        Context context = context(arbiter.share());
        long out = context.allocate(8);
        Kernel loop = context.load(Kernels.LOOP).kernel("loop");
        for (int i = 0; i < STREAMS; i++) {
            context.createStream().launch(Launch.of(loop, Dim.of(1), Dim.of(1), out, 300_000L));
        }
        context.synchronize();
        assertTrue(context.fault().isEmpty());
    }

    @Test
    void stoppedWorkNeedsNobodysTurn() throws InterruptedException {
        Restless.Waiting share = arbiter.share();
        Context context = context(share);
        launchEndless(context, 20);
        arbiter.awaitPicks(100);
        arbiter.shutOut(share);
        // Returns although the share gets no seat any more.
        context.close();
    }

    @Test
    void stoppedWorkComesBeforeOthers() throws InterruptedException {
        Restless.Waiting share = arbiter.share();
        Context context = context(share);
        launchEndless(context, 20);
        arbiter.awaitPicks(100);
        Context other = context(arbiter.share());
        launchEndless(other, 20);
        arbiter.shutOut(share);
        context.close();
        other.close();
    }
}
