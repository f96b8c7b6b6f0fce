package facet.ptx.rewrite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class BlockBoxTest {
    /** The boxes of any range have its blocks, each once, in order. */
    @Test
    void coverTheRange() {
        SplittableRandom random = new SplittableRandom(1);
        for (int trial = 0; trial < 500; trial++) {
            GridSize grid =
                    new GridSize(random.nextInt(1, 6), random.nextInt(1, 6), random.nextInt(1, 6));
            long first = random.nextLong(grid.blocks());
            long count = random.nextLong(grid.blocks() - first + 1);
            List<BlockBox> boxes = BlockBox.of(grid, first, count);
            List<Long> blocks = new ArrayList<>();
            for (BlockBox box : boxes) {
                add(box, grid, blocks);
            }
            assertEquals(
                    LongStream.range(first, first + count).boxed().toList(),
                    blocks,
                    grid + " " + first + " " + count);
            assertTrue(boxes.size() <= 5, boxes::toString);
        }
    }

    private static void add(BlockBox box, GridSize grid, List<Long> blocks) {
        for (int z = box.z(); z < box.z() + box.size().z(); z++) {
            for (int y = box.y(); y < box.y() + box.size().y(); y++) {
                for (int x = box.x(); x < box.x() + box.size().x(); x++) {
                    blocks.add(((long) z * grid.y() + y) * grid.x() + x);
                }
            }
        }
    }

    @Test
    void largestGrid() {
        GridSize grid = new GridSize(Integer.MAX_VALUE, 65_535, 65_535);
        assertEquals(List.of(new BlockBox(0, 0, 0, grid)), BlockBox.of(grid, 0, grid.blocks()));
        long last = grid.blocks() - 1;
        assertEquals(
                List.of(new BlockBox(Integer.MAX_VALUE - 1, 65_534, 65_534, new GridSize(1, 1, 1))),
                BlockBox.of(grid, last, 1));
    }

    @Test
    void whatTheGridDoesNotHave() {
        GridSize grid = new GridSize(2, 3, 4);
        for (long[] range :
                new long[][] {{-1, 1}, {0, -1}, {0, 25}, {24, 1}, {Long.MAX_VALUE, 1}, {1, 24}}) {
            assertThrows(
                    IllegalArgumentException.class, () -> BlockBox.of(grid, range[0], range[1]));
        }
        assertThrows(IllegalArgumentException.class, () -> new GridSize(0, 1, 1));
        assertThrows(
                ArithmeticException.class,
                () -> new GridSize(Integer.MAX_VALUE, Integer.MAX_VALUE, 3).blocks());
    }

    @Test
    void persistentArgumentsAreChecked() {
        GridSize most = new GridSize(1 << 30, 2, 1);
        assertTrue(HiddenArguments.canPersist(most));
        assertEquals(
                HiddenArguments.BYTES, HiddenArguments.persistent(most, 64, most.blocks()).length);
        GridSize more = new GridSize(Integer.MAX_VALUE, 65_535, 65_535);
        for (Runnable wrong :
                List.<Runnable>of(
                        () -> HiddenArguments.persistent(more, 0, 1),
                        () -> HiddenArguments.persistent(most, 16, 1),
                        () -> HiddenArguments.persistent(most, 0, -1),
                        () -> HiddenArguments.persistent(most, 0, most.blocks() + 1))) {
            assertThrows(IllegalArgumentException.class, wrong::run);
        }
    }
}
