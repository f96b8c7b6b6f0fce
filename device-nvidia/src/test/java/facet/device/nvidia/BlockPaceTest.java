package facet.device.nvidia;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class BlockPaceTest {
    private static final int TOGETHER = 10;

    @Test
    void aKernelThatNobodyKnowsBeginsWithWhatTheDeviceHasAtOnce() {
        assertEquals(TOGETHER, new BlockPace().next(1_000_000, TOGETHER));
        assertEquals(3, new BlockPace().next(3, TOGETHER));
    }

    @Test
    void partsGrowUntilTheyTakeTheirTime() {
        BlockPace pace = new BlockPace();
        long left = 100_000_000;
        long part = 0;
        for (int i = 0; i < 12; i++) {
            part = pace.next(left, TOGETHER);
            pace.measured(part, part * 100);
        }
        assertEquals(BlockPace.PART_NANOS / 100, part);
    }

    @Test
    void slowBlocksKeepTheDeviceBusyAllTheSame() {
        BlockPace pace = new BlockPace();
        pace.measured(40, 40L * 500_000_000);
        assertEquals(TOGETHER, pace.next(1000, TOGETHER));
        assertTrue(pace.estimate(1000) > BlockPace.PART_NANOS);
    }

    @Test
    void noMoreThanIsLeft() {
        BlockPace pace = new BlockPace();
        pace.measured(1000, 1000);
        assertEquals(5, pace.next(5, TOGETHER));
    }
}
