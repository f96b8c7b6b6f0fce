package facet.device.cpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class ArenaTest {
    private static final long SIZE = 1 << 20;

    /** What the arena should hold, by a list of ranges. */
    private record Range(long offset, long length) {
        boolean overlaps(Range other) {
            return offset < other.offset + other.length && other.offset < offset + length;
        }
    }

    @Test
    void rangesNeverOverlapAndAllComesBack() {
        long seed = Long.getLong("facet.seed", 20261117);
        Random random = new Random(seed);
        Arena arena = new Arena(SIZE);
        List<Range> taken = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            if (random.nextInt(100) < 55) {
                long bytes = 1L + random.nextInt(random.nextBoolean() ? 600 : 60_000);
                OptionalLong offset = arena.allocate(bytes);
                long length = (bytes + Arena.ALIGNMENT - 1) / Arena.ALIGNMENT * Arena.ALIGNMENT;
                if (offset.isPresent()) {
                    Range range = new Range(offset.getAsLong(), length);
                    String where = "seed " + seed + ", " + range;
                    assertTrue(range.offset() + length <= SIZE, where);
                    assertEquals(0, range.offset() % Arena.ALIGNMENT, where);
                    assertTrue(taken.stream().noneMatch(range::overlaps), where);
                    taken.add(range);
                }
            } else if (!taken.isEmpty()) {
                Range range = taken.remove(random.nextInt(taken.size()));
                assertEquals(
                        range.length(), arena.release(range.offset()).orElse(-1), "seed " + seed);
            }
            assertEquals(
                    taken.stream().mapToLong(Range::length).sum(), arena.used(), "seed " + seed);
        }
        taken.forEach(range -> arena.release(range.offset()));
        assertEquals(0, arena.allocate(SIZE).orElse(-1), "seed " + seed);
    }

    @Test
    void sizesThatCannotBe() {
        Arena arena = new Arena(SIZE);
        assertTrue(arena.allocate(Long.MAX_VALUE).isEmpty());
        assertTrue(arena.allocate(SIZE + 1).isEmpty());
        assertTrue(arena.release(12345).isEmpty());
    }
}
