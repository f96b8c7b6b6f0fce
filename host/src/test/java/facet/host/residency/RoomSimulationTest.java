package facet.host.residency;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.sched.Eviction;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Timeout;

/**
 * Contexts of the device's own process and of workers that take, use and free at random, on a
 * device that has no room for all of them. Both sides are the real ones; words between them come
 * late. Workers die. Never is more lent and used than there is, each one gets its turn, and finds
 * what it has written.
 */
@Timeout(300)
class RoomSimulationTest {
    private static final long MIB = 1 << 20;
    private static final long DEVICE = 24 * MIB;

    /** So that two programs of one worker do not have more than there is: ledgers see to that. */
    private static final int PLACES = 3;

    private static final int STEPS = 400;
    private static final Eviction RESTLESS = new Eviction(1_000_000, 0, 0);

    private final Residency device = new Residency("device", DEVICE, RESTLESS);
    private final AtomicReference<Throwable> wrong = new AtomicReference<>();

    private void check(boolean right, String what) {
        if (!right) {
            wrong.compareAndSet(null, new AssertionError(what));
        }
    }

    /** A process with its own book, until it dies. */
    private final class Worker implements RemoteRoom.Borrower, AutoCloseable {
        private final String slice;
        private final ExecutorService link = Executors.newSingleThreadExecutor();
        private final RemoteRoom remote;
        private final LentRoom lent;
        private final Residency book;

        Worker(String slice) {
            this.slice = slice;
            remote = device.lend(this, DEVICE);
            lent = new LentRoom(remote.lent(), this::tell);
            book = new Residency(slice, lent, RESTLESS);
        }

        private void tell(RoomReport report) {
            check(
                    book.capacity() - book.free() <= report.holds(),
                    slice + " has more than it says");
            // Who dies while it says so has nothing any more.
            check(
                    report.holds() <= remote.lent() || remote.isLeaving(),
                    slice + " holds more than it was lent");
            remote.told(report);
        }

        @Override
        public String slice() {
            return slice;
        }

        @Override
        public int priority() {
            return slice.hashCode() % 3;
        }

        @Override
        public boolean lend(long number, long bytes, long lacking, boolean own) {
            try {
                link.execute(() -> {
                    check(lacking == 0, slice + " was refused");
                    lent.lent(number, bytes, lacking, own);
                });
            } catch (RejectedExecutionException e) {
                return true; // it has died
            }
            return true;
        }

        @Override
        public void kill(String why) {
            check(false, slice + " was killed: " + why);
        }

        @Override
        public void close() {
            book.close();
            link.shutdown();
            remote.close();
        }
    }

    /** One context, and what its memory must be. */
    private final class Program {
        private final FakeContext context;
        private final Random random;
        private final int[] patterns = new int[PLACES];
        private final boolean[] written = new boolean[PLACES];

        Program(Residency book, String slice, long seed) throws Exception {
            context = new FakeContext(book, slice, PLACES * 4 * MIB);
            random = new Random(seed);
        }

        void run() throws Exception {
            try (context) {
                for (int i = 0; i < STEPS; i++) {
                    step(random.nextInt(PLACES));
                    check(device.free() >= 0, "more is taken than there is");
                }
            }
        }

        private void step(int place) {
            long offset = 4L * place * MIB;
            if (patterns[place] == 0) {
                patterns[place] = 1 + random.nextInt(1 << 20);
                context.holding.take(offset, 4 * MIB, true);
            } else if (random.nextInt(8) == 0) {
                context.holding.give(offset);
                context.memory.clear(offset, 4 * MIB);
                patterns[place] = 0;
                written[place] = false;
            } else {
                use(place, offset);
            }
        }

        private void use(int place, long offset) {
            if (!context.enter()) {
                check(false, context.slice() + " got no room");
                return;
            }
            try {
                context.working = random.nextInt(3) == 0;
                if (written[place]) {
                    check(
                            context.wrong(offset, 4 * MIB, patterns[place]) < 0,
                            context.slice() + " does not find what it wrote");
                } else {
                    context.write(offset, 4 * MIB, patterns[place]);
                    written[place] = true;
                }
            } finally {
                context.holding.leave();
            }
        }
    }

    private Thread start(Program program) {
        return Thread.ofPlatform()
                .start(() -> {
                    try {
                        program.run();
                    } catch (Throwable e) {
                        wrong.compareAndSet(null, e);
                    }
                });
    }

    @RepeatedTest(3)
    void everybodyIsServedAndNobodyHasTooMuch(RepetitionInfo repetition) throws Exception {
        long seed = Long.getLong("facet.seed", 20261117) + repetition.getCurrentRepetition() - 1;
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        List<Worker> workers = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Worker worker = new Worker("worker-" + i);
            workers.add(worker);
            for (int j = 0; j <= i % 2; j++) {
                threads.add(start(new Program(worker.book, worker.slice, random.nextLong())));
            }
        }
        threads.add(start(new Program(device, "here", random.nextLong())));
        // One after the other takes all it can get, and dies at any moment.
        for (int i = 0; i < 20; i++) {
            Worker dies = new Worker("dies-" + i);
            FakeContext context = new FakeContext(dies.book, dies.slice, DEVICE);
            context.holding.take(0, 12 * MIB, true);
            Thread asks = Thread.ofPlatform().start(context::fetch);
            Thread.sleep(random.nextInt(30));
            dies.close();
            context.close();
            asks.join();
        }
        for (Thread each : threads) {
            each.join();
        }
        workers.forEach(Worker::close);
        if (wrong.get() != null) {
            throw new AssertionError("seed " + seed, wrong.get());
        }
        System.out.println(device.figures());
        assertEquals(DEVICE, device.free());
        assertEquals(0, device.figures().movedOut());
        assertTrue(device.rooms().isEmpty() && device.holdings().isEmpty());
        device.close();
    }
}
