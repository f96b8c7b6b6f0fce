package facet.ring;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.abi.RecordHeaderLayout;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** One thread on both ends. */
final class RingTest {
    private static final long SEED = Long.getLong("facet.seed", 1);

    private static void assertNext(Rings rings, long sequence, int length) throws MalformedRecord {
        MemorySegment record = rings.reader.poll();
        assertNotNull(record);
        Rings.assertRecord(sequence, length, record);
    }

    @Test
    void emptyRingHasNothing() throws MalformedRecord {
        assertNull(new Rings(64).reader.poll());
    }

    @Test
    void recordsComeInOrder() throws MalformedRecord {
        Rings rings = new Rings(1024);
        assertTrue(rings.writer.offer(Rings.record(1, 24)));
        assertTrue(rings.writer.offer(Rings.record(2, 512)));
        assertNext(rings, 1, 24);
        assertNext(rings, 2, 512);
        assertNull(rings.reader.poll());
    }

    @Test
    void paddingOfEveryLength() throws MalformedRecord {
        for (int padding = 8; padding < 104; padding += 8) {
            Rings rings = new Rings(256);
            // Up to where this much is left, and then one byte too many.
            int first = (256 - padding) / 2 / 8 * 8;
            int second = 256 - padding - first;
            assertTrue(rings.writer.offer(Rings.record(1, first)));
            assertTrue(rings.writer.offer(Rings.record(2, second)));
            assertNext(rings, 1, first);
            assertNext(rings, 2, second);
            int third = Math.max(24, padding + 8);
            assertTrue(rings.writer.offer(Rings.record(3, third)), "padding " + padding);
            assertNext(rings, 3, third);
            assertNull(rings.reader.poll());
        }
    }

    @Test
    void fullRingTakesNothingUntilItIsRead() throws MalformedRecord {
        Rings rings = new Rings(256);
        for (int i = 1; i <= 4; i++) {
            assertTrue(rings.writer.offer(Rings.record(i, 64)));
        }
        assertFalse(rings.writer.offer(Rings.record(5, 24)));
        assertNext(rings, 1, 64);
        assertTrue(rings.writer.offer(Rings.record(5, 64)));
        assertFalse(rings.writer.offer(Rings.record(6, 24)));
        for (int i = 2; i <= 5; i++) {
            assertNext(rings, i, 64);
        }
    }

    @Test
    void randomSizesAgainstQueue() throws MalformedRecord {
        System.out.println("seed " + SEED);
        Random random = new Random(SEED);
        Rings rings = new Rings(512);
        Deque<Integer> lengths = new ArrayDeque<>();
        long written = 0;
        long read = 0;
        for (int step = 0; step < 100_000; step++) {
            if (random.nextInt(100) < 55) {
                int length = 24 + 8 * random.nextInt((256 - 24) / 8 + 1);
                if (rings.writer.offer(Rings.record(written + 1, length))) {
                    written++;
                    lengths.add(length);
                }
            } else if (lengths.isEmpty()) {
                assertNull(rings.reader.poll());
            } else {
                read++;
                assertNext(rings, read, lengths.remove());
            }
        }
        assertTrue(read > 10_000, "read " + read);
    }

    @Test
    void longestRecordFitsFromEveryIndex() throws MalformedRecord {
        for (int before = 0; before <= 512; before += 8) {
            Rings rings = new Rings(512);
            for (int done = 0; done < before; done += 24) {
                assertTrue(rings.writer.offer(Rings.record(1, 24)));
                assertNotNull(rings.reader.poll());
            }
            assertTrue(rings.writer.offer(Rings.record(9, rings.writer.longestRecord())));
            assertNext(rings, 9, rings.writer.longestRecord());
        }
    }

    @Test
    void wrongRecordsAreNotWritten() {
        Rings rings = new Rings(512);
        for (int length : new int[] {0, 8, 16, 264, 512, 1024}) {
            assertThrows(
                    IllegalArgumentException.class,
                    () -> rings.writer.offer(MemorySegment.ofArray(new byte[length])));
        }
        MemorySegment liar = Rings.record(1, 32);
        liar.set(JAVA_INT, RecordHeaderLayout.LENGTH_OFFSET, 24);
        assertThrows(IllegalArgumentException.class, () -> rings.writer.offer(liar));
    }

    @Test
    void copyDoesNotChangeAnyMore() throws MalformedRecord {
        Rings rings = new Rings(512);
        assertTrue(rings.writer.offer(Rings.record(3, 128)));
        MemorySegment record = rings.reader.poll();
        assertNotNull(record);
        rings.data().fill((byte) -1);
        Rings.assertRecord(3, 128, record);
    }

    @Test
    void secondReaderGoesOnWhereTheFirstStopped() throws MalformedRecord {
        Rings rings = new Rings(512);
        for (int i = 1; i <= 3; i++) {
            assertTrue(rings.writer.offer(Rings.record(i, 40)));
        }
        assertNext(rings, 1, 40);
        RingReader second = RingReader.of(rings.memory, 0, 512);
        for (int i = 2; i <= 3; i++) {
            MemorySegment record = second.poll();
            assertNotNull(record);
            Rings.assertRecord(i, 40, record);
        }
        assertNull(second.poll());
        assertEquals(256, RingWriter.of(rings.memory, 0, 512).longestRecord());
    }
}
