package facet.jit.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The packed object against a model with one field each. */
final class MbarrierUnsafeTest {
    private static final int MOST = (1 << 20) - 1;

    /** PTX ISA 9.7.13.15.2 to 9.7.13.15.6, in words. */
    private static final class Model {
        int phase;
        int expected;
        int pending;
        int bytes;

        Model(int count) {
            expected = count;
            pending = count;
        }

        void check() {
            if (pending == 0 && bytes == 0) {
                phase++;
                pending = expected;
            }
        }
    }

    @Test
    void followsTheModel() {
        SplittableRandom random = new SplittableRandom(7);
        try (Arena arena = Arena.ofConfined()) {
            long raw = arena.allocate(8, 8).address();
            for (int round = 0; round < 200; round++) {
                int count = round % 10 == 0 ? MOST - random.nextInt(3) : 1 + random.nextInt(6);
                Model model = new Model(count);
                MbarrierUnsafe.init(raw, count);
                for (int step = 0; step < 100 && model.expected > 0; step++) {
                    step(random, raw, model);
                    assertEquals(
                            model.pending, MbarrierUnsafe.pendingCount(AccessUnsafe.getB64(raw)));
                    assertEquals((model.phase & 1) == 1, MbarrierUnsafe.testWaitParity(raw, 0));
                    assertEquals((model.phase & 1) == 0, MbarrierUnsafe.testWaitParity(raw, 1));
                }
            }
        }
    }

    private static void step(SplittableRandom random, long raw, Model model) {
        int phase = model.phase;
        int before = model.pending;
        int arrivals = 1 + random.nextInt(Math.clamp(model.pending, 1, 4));
        int bytes = random.nextInt(MOST - Math.abs(model.bytes) + 1);
        long state;
        // Once all have arrived, only the bytes are waited for.
        switch (random.nextInt(model.pending > 0 ? 0 : 3, 6)) {
            case 0 -> {
                state = MbarrierUnsafe.arrive(raw, arrivals);
                model.pending -= arrivals;
            }
            case 1 -> {
                state = MbarrierUnsafe.arriveDrop(raw, 1);
                model.pending--;
                model.expected--;
            }
            case 2 -> {
                state = MbarrierUnsafe.arriveExpectTx(raw, model.bytes < 0 ? -model.bytes : bytes);
                model.bytes += model.bytes < 0 ? -model.bytes : bytes;
                model.pending--;
            }
            case 3 -> {
                MbarrierUnsafe.expectTx(raw, bytes);
                model.bytes += bytes;
                model.check();
                return;
            }
            default -> {
                int done = model.bytes > 0 ? model.bytes : bytes;
                MbarrierUnsafe.completeTx(raw, done);
                model.bytes -= done;
                model.check();
                return;
            }
        }
        model.check();
        assertEquals(before, MbarrierUnsafe.pendingCount(state));
        assertEquals(model.phase != phase, MbarrierUnsafe.testWait(raw, state));
    }
}
