package facet.host.mirror;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Random;
import org.junit.jupiter.api.Test;

final class MergeTest {
    private static int at(long word, int i) {
        return (int) (word >>> 8 * i & 0xff);
    }

    /** Words that differ in some of their bytes, by one bit or more. */
    private static long changed(long word, Random random) {
        long result = word;
        for (int i = 0; i < 8; i++) {
            if (random.nextInt(3) == 0) {
                result ^= (1L << random.nextInt(8) | random.nextInt(256)) << 8 * i;
            }
        }
        return result;
    }

    @Test
    void eachByteIsTheHostsWhereItHasWritten() {
        Random random = new Random(Long.getLong("facet.seed", 5));
        for (int round = 0; round < 100_000; round++) {
            long common = random.nextLong();
            long host = changed(common, random);
            long device = changed(common, random);
            long merged = Merge.of(common, host, device);
            for (int i = 0; i < 8; i++) {
                int expected = at(host, i) != at(common, i) ? at(host, i) : at(device, i);
                assertEquals(expected, at(merged, i));
            }
        }
    }

    @Test
    void halvesAreWholeWhereTheDeviceHasNotWritten() {
        assertEquals(0xffff_ffffL, Merge.inHalves(0x00ff_0000L, 0xff_0000_0000L));
        assertEquals(0x00ff_0000L, Merge.inHalves(0x00ff_0000L, 0xff));
        assertEquals(-1, Merge.inHalves(0xff_0000_00ffL, 0));
        assertEquals(0, Merge.inHalves(0, 0));
    }
}
