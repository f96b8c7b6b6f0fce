package facet.node.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import facet.host.ledger.LedgerMemory;
import facet.host.session.SessionOptions;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ProcessSamplesTest {
    private static final long SECOND = 1_000_000_000;

    private final LedgerMemory ledger;
    private final ProcessSamples samples;
    private final long start = System.nanoTime() + SECOND;

    ProcessSamplesTest() throws IOException {
        ledger = LedgerMemory.create("test", 100, 2);
        samples = new ProcessSamples(ledger);
        samples.look(List.of(), 0.5, start, Instant.EPOCH);
    }

    @AfterEach
    void close() {
        ledger.close();
    }

    /** A session that has used so much of each of two devices. */
    private record Used(int id, long... nanos) implements HostPlace.HostedSession {
        @Override
        public SessionOptions options() {
            return new SessionOptions(id, "slice", "program", 1, 10 + id, 100);
        }

        @Override
        public long launches() {
            return 0;
        }

        @Override
        public long deviceNanos() {
            return nanos[0] + nanos[1];
        }

        @Override
        public long deviceNanos(int device) {
            return nanos[device];
        }

        @Override
        public long memoryUsed() {
            return 0;
        }

        @Override
        public long memoryUsed(int device) {
            return 0;
        }

        @Override
        public void end(String why) {}
    }

    private void look(long second, Used... sessions) {
        samples.look(
                List.of(sessions), 0.5, start + second * SECOND, Instant.ofEpochSecond(second));
    }

    private static long sample(long second, int percent) {
        return second * 1_000_000 << 7 | percent;
    }

    /** The slice may use half of a device: a quarter of a second is half of what it may. */
    @Test
    void percentOfWhatTheSliceMayUse() {
        look(1, new Used(1, SECOND / 4, 0), new Used(2, 0, SECOND));
        assertEquals(sample(1, 50), ledger.sample(0, 11));
        assertEquals(0, ledger.sample(1, 11), "never busy on the other device");
        assertEquals(0, ledger.sample(0, 12));
        assertEquals(sample(1, 100), ledger.sample(1, 12), "no more than all");
    }

    @Test
    void theLastTimeInWhichItWasBusyStays() {
        look(1, new Used(1, SECOND / 4, 0));
        look(2, new Used(1, SECOND / 4, 0));
        assertEquals(sample(1, 50), ledger.sample(0, 11));
        look(3, new Used(1, SECOND / 2, 0));
        assertEquals(sample(3, 50), ledger.sample(0, 11));
        ledger.clear(11);
        assertEquals(0, ledger.sample(0, 11), "the next one in the slot has its own");
    }
}
