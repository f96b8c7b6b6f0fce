package facet.pool.link;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class SendLogTest {
    private static final int MOST = 100_000;

    @Test
    void keepsWhatWasAppendedUntilItIsReleased() {
        long seed = new Random().nextLong();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        SendLog log = new SendLog(MOST);
        byte[] all = new byte[4_000_000];
        random.nextBytes(all);
        int end = 0;
        int start = 0;
        while (end < all.length - MOST) {
            int more = random.nextInt(30_000);
            if (log.hasRoom(more)) {
                log.append(ByteBuffer.wrap(all, end, more));
                end += more;
            } else {
                assertFalse(end - start <= MOST - more);
            }
            if (random.nextInt(3) == 0) {
                start += random.nextInt(end - start + 1);
                log.release(start);
            }
            int from = start + random.nextInt(end - start + 1);
            byte[] copy = new byte[random.nextInt(50_000)];
            int count = log.copy(from, copy, 0, copy.length);
            assertEquals(Math.min(copy.length, end - from), count, "seed " + seed);
            assertArrayEquals(
                    Arrays.copyOfRange(all, from, from + count),
                    Arrays.copyOf(copy, count),
                    "seed " + seed);
        }
    }

    @Test
    void refusesWhatIsNotInIt() {
        SendLog log = new SendLog(1000);
        log.append(ByteBuffer.allocate(10));
        assertThrows(IllegalArgumentException.class, () -> log.release(11));
        log.release(10);
        assertThrows(IllegalArgumentException.class, () -> log.release(9));
        assertThrows(IllegalStateException.class, () -> log.append(ByteBuffer.allocate(1001)));
    }
}
