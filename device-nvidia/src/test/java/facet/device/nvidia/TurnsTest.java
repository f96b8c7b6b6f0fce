package facet.device.nvidia;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.device.Arbiter;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Turns by an arbiter that gives its seat, or does not, as the test says. */
final class TurnsTest {
    private static final class OneSeat implements Arbiter, Arbiter.Seat {
        private final Share share = new Share() {};
        private int waiting;
        private boolean given = true;
        private boolean wanted;
        private int ended;
        private long charged;

        @Override
        public Share unnamed() {
            return share;
        }

        @Override
        public synchronized void submit(Share its, int change, long now) {
            waiting += change;
        }

        @Override
        public Seat seat(int number) {
            return this;
        }

        @Override
        public void whenChanged(Runnable action) {}

        @Override
        public synchronized @Nullable Share mayRun(long now) {
            if (!given || waiting == 0) {
                return null;
            }
            waiting--;
            return share;
        }

        @Override
        public long deadline() {
            return 0;
        }

        @Override
        public synchronized boolean givesWay(long now) {
            return wanted;
        }

        @Override
        public void ended(long now) {
            throw new AssertionError("what was measured is told");
        }

        @Override
        public synchronized void ended(long now, long nanos) {
            ended++;
            charged += nanos;
            wanted = false;
        }

        @Override
        public long nextLook(long now) {
            return now + 1_000_000;
        }

        synchronized void give(boolean now) {
            given = now;
        }

        synchronized void want() {
            wanted = true;
        }

        synchronized int waiting() {
            return waiting;
        }
    }

    private final OneSeat seat = new OneSeat();
    private final Turns turns = new Turns(seat);

    @Test
    void streamsShareATurnAndPayOnce() {
        assertTrue(turns.enter(() -> false));
        assertTrue(turns.enter(() -> false));
        long begin = System.nanoTime();
        LockSupport.parkNanos(2_000_000);
        turns.leave(Long.MAX_VALUE / 4);
        assertEquals(0, seat.ended);
        turns.leave(Long.MAX_VALUE / 4);
        assertEquals(1, seat.ended);
        // No more than the time that went by, whatever streams say.
        assertTrue(seat.charged >= 0 && seat.charged <= System.nanoTime() - begin + 1_000_000_000);
    }

    @Test
    void whoIsAskedLetsNothingMoreBegin() throws InterruptedException {
        assertTrue(turns.enter(() -> false));
        seat.want();
        assertTrue(turns.isAsked());
        CountDownLatch second = new CountDownLatch(1);
        Thread thread =
                Thread.ofPlatform()
                        .start(() -> {
                            if (turns.enter(() -> false)) {
                                second.countDown();
                            }
                        });
        turns.leave(5);
        second.await();
        thread.join();
        assertEquals(1, seat.ended);
        turns.leave(7);
        assertEquals(2, seat.ended);
        assertEquals(12, seat.charged);
    }

    /** Nothing stays behind of one who does not want it any more. */
    @Test
    void whoIsStoppedWaitsNoLonger() {
        seat.give(false);
        long until = System.nanoTime() + 20_000_000;
        assertFalse(turns.enter(() -> System.nanoTime() > until));
        assertEquals(0, seat.waiting());
        seat.give(true);
        assertTrue(turns.enter(() -> false));
        turns.leave(0);
    }

    @Test
    void withoutAnArbiterItIsAlwaysOnesTurn() {
        Turns alone = new Turns(null);
        assertTrue(alone.enter(() -> true));
        assertFalse(alone.isAsked());
        alone.leave(1);
    }
}
