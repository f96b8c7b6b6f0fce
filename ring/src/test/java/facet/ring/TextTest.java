package facet.ring;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.abi.RingControlLayout;
import java.lang.foreign.Arena;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

final class TextTest {
    private static final int BYTES = 256;
    private static final long SEED = Long.getLong("facet.seed", 4);

    private final RingMemory ring = ring();
    private final TextWriter writer = new TextWriter(ring);
    private final TextReader reader = new TextReader(ring);

    private static RingMemory ring() {
        RingMemory ring =
                new RingMemory(
                        Arena.ofAuto().allocate(RingControlLayout.BYTES + BYTES, 64),
                        0,
                        BYTES,
                        Parking.FUTEX);
        ring.format();
        return ring;
    }

    private String read() {
        return new String(reader.read(), UTF_8);
    }

    @Test
    void textArrivesInOrder() {
        Random random = new Random(SEED);
        System.out.println("seed " + SEED);
        for (int i = 0; i < 1000; i++) {
            String text = ("line " + i + "\n").repeat(random.nextInt(10));
            writer.write(text.getBytes(UTF_8));
            assertEquals(text, read());
            assertEquals("", read());
        }
    }

    @Test
    void oldestIsDropped() {
        String text = "0123456789".repeat(100);
        writer.write(text.getBytes(UTF_8));
        assertEquals(text.substring(1000 - BYTES / 4 * 3), read());
    }

    /** What a slow reader gets is in order, however much it misses. */
    @Test
    void nothingTornIsRead() throws InterruptedException {
        AtomicBoolean stop = new AtomicBoolean();
        Thread thread =
                Thread.ofPlatform()
                        .start(() -> {
                            byte[] text = new byte[40];
                            byte next = 0;
                            while (!stop.get()) {
                                for (int i = 0; i < text.length; i++) {
                                    text[i] = next++;
                                }
                                writer.write(text);
                            }
                        });
        long total = 0;
        long end = System.nanoTime() + 500_000_000;
        while (System.nanoTime() < end || total == 0) {
            byte[] text = reader.read();
            total += text.length;
            for (int i = 1; i < text.length; i++) {
                if (text[i] != (byte) (text[i - 1] + 1)) {
                    stop.set(true);
                    assertEquals((byte) (text[i - 1] + 1), text[i], "torn at " + i);
                }
            }
        }
        stop.set(true);
        thread.join();
        assertTrue(total > 0);
    }
}
