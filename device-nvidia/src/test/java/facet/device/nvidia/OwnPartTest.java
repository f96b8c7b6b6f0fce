package facet.device.nvidia;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import facet.device.DeviceException;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class OwnPartTest {
    private static final long BYTES = 1 << 20;

    /** What is given out never overlaps, and all of it comes back. */
    @Test
    void randomTakesAndGives() {
        long seed = Long.getLong("facet.seed", System.nanoTime());
        SplittableRandom random = new SplittableRandom(seed);
        OwnPart part = new OwnPart(BYTES);
        Map<Long, Long> taken = new HashMap<>();
        for (int i = 0; i < 2000; i++) {
            if (random.nextBoolean() || taken.isEmpty()) {
                long bytes = random.nextLong(1, 4000);
                try {
                    long offset = part.take(bytes);
                    taken.forEach((other, length) ->
                            assertEquals(
                                    true,
                                    other + length <= offset
                                            || offset + part.rounded(bytes) <= other,
                                    "seed " + seed));
                    taken.put(offset, part.rounded(bytes));
                } catch (DeviceException e) {
                    assertEquals(2, e.error().code(), "seed " + seed);
                }
            } else {
                long offset = taken.keySet().iterator().next();
                taken.remove(offset);
                part.give(offset);
            }
        }
        taken.keySet().forEach(part::give);
        assertEquals(0, part.take(BYTES), "seed " + seed);
        assertThrows(DeviceException.class, () -> part.take(1));
    }

    @Test
    void whatIsNotOfItIsNothing() {
        OwnPart part = new OwnPart(BYTES);
        part.give(BYTES + 4096);
        assertEquals(0, part.take(1));
    }
}
