package facet.ring;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.abi.RecordHeaderLayout;
import facet.abi.RingControlLayout;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The other side writes what it likes: there is a record, nothing, or MalformedRecord. */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class HostileRingTest {
    private static final int BYTES = 512;
    private static final long SEED = Long.getLong("facet.seed", 2);

    @Test
    void headWhereItCannotBe() {
        for (long head :
                new long[] {-8, BYTES + 8, 4, 25, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 32}) {
            Rings rings = new Rings(BYTES);
            rings.head(head);
            assertThrows(MalformedRecord.class, rings.reader::poll, "head " + head);
            assertThrows(MalformedRecord.class, rings.reader::poll, "head " + head);
        }
    }

    @Test
    void lengthsThatDoNotFit() {
        for (int length : new int[] {0, 8, 16, 25, 28, 104, BYTES, BYTES + 8, -8, 1 << 31}) {
            Rings rings = new Rings(BYTES);
            rings.data().set(JAVA_INT, 0, length);
            rings.data().set(JAVA_SHORT, 4, (short) 3);
            rings.head(96);
            assertThrows(MalformedRecord.class, rings.reader::poll, "length " + length);
        }
    }

    @Test
    void paddingWhereNoneIsRight() throws MalformedRecord {
        for (int length : new int[] {0, 4, 8, 24, BYTES - 32, BYTES, BYTES - 24, -8}) {
            Rings atStart = new Rings(BYTES);
            atStart.data().set(JAVA_LONG, 0, length & 0xffff_ffffL);
            atStart.head(BYTES);
            assertThrows(MalformedRecord.class, atStart.reader::poll, "length " + length);

            if (length != BYTES - 24) {
                Rings later = new Rings(BYTES);
                assertTrue(later.writer.offer(Rings.record(1, 24)));
                assertNotNull(later.reader.poll());
                later.data().set(JAVA_LONG, 24, length & 0xffff_ffffL);
                later.head(24 + BYTES);
                assertThrows(MalformedRecord.class, later.reader::poll, "length " + length);
            }
        }
    }

    @Test
    void paddingBeyondHead() throws MalformedRecord {
        Rings rings = new Rings(BYTES);
        assertTrue(rings.writer.offer(Rings.record(1, 24)));
        assertNotNull(rings.reader.poll());
        rings.data().set(JAVA_LONG, 24, BYTES - 24);
        rings.head(48);
        assertThrows(MalformedRecord.class, rings.reader::poll);
    }

    @Test
    void randomBytes() {
        System.out.println("seed " + SEED);
        Random random = new Random(SEED);
        int malformed = 0;
        int records = 0;
        for (int round = 0; round < 20_000; round++) {
            Rings rings = new Rings(BYTES);
            byte[] bytes = new byte[BYTES];
            random.nextBytes(bytes);
            MemorySegment.copy(bytes, 0, rings.data(), JAVA_BYTE, 0, BYTES);
            // Most lengths small, so that some records are right.
            for (int at = 0; at < BYTES; at += 8) {
                int most = random.nextInt(10) == 0 ? BYTES + 16 : 64;
                rings.data().set(JAVA_INT, at, random.nextInt(most / 8) * 8);
                if (random.nextInt(8) == 0) {
                    rings.data().set(JAVA_SHORT, at + 4, (short) 0);
                }
            }
            rings.head(8L * random.nextInt(BYTES / 8 + 1));
            try {
                for (MemorySegment record = rings.reader.poll();
                        record != null;
                        record = rings.reader.poll()) {
                    records++;
                    assertEquals(
                            record.byteSize(),
                            record.get(JAVA_INT, RecordHeaderLayout.LENGTH_OFFSET));
                }
            } catch (MalformedRecord expected) {
                malformed++;
            }
        }
        assertTrue(malformed > 1000 && records > 1000, malformed + " and " + records);
    }

    @Test
    void bytesThatChangeWhileTheyAreRead() throws InterruptedException {
        System.out.println("seed " + SEED);
        Rings rings = new Rings(BYTES);
        AtomicBoolean stop = new AtomicBoolean();
        Thread scribbler =
                Thread.ofPlatform()
                        .start(() -> {
                            Random random = new Random(SEED);
                            while (!stop.get()) {
                                long word = random.nextInt(8) * 8L;
                                if (random.nextInt(4) == 0) {
                                    word |= random.nextLong() << 32;
                                } else {
                                    word |= 3L << 32;
                                }
                                rings.data().set(JAVA_LONG, 8L * random.nextInt(BYTES / 8), word);
                                rings.memory.set(
                                        JAVA_INT,
                                        RingControlLayout.WRITER_SLEEPS_OFFSET,
                                        random.nextInt(4) == 0 ? random.nextInt() : 0);
                            }
                        });
        int records = 0;
        long end = System.nanoTime() + 500_000_000;
        while (System.nanoTime() < end) {
            Rings shared = new Rings(rings);
            shared.head(BYTES);
            try {
                for (MemorySegment record = shared.reader.poll();
                        record != null;
                        record = shared.reader.poll()) {
                    records++;
                    assertEquals(
                            record.byteSize(),
                            record.get(JAVA_INT, RecordHeaderLayout.LENGTH_OFFSET));
                }
            } catch (MalformedRecord expected) {
                // One of the three outcomes.
            }
        }
        stop.set(true);
        scribbler.join();
        assertTrue(records > 100, "records " + records);
    }

    @Test
    void tailWhereItCannotBe() throws MalformedRecord {
        for (long tail : new long[] {-8, 1000, Long.MIN_VALUE, Long.MAX_VALUE, 513}) {
            Rings rings = new Rings(BYTES);
            rings.tail(tail);
            assertThrows(
                    MalformedRecord.class,
                    () -> {
                        for (int i = 0; i < 100; i++) {
                            rings.writer.offer(Rings.record(i, 64));
                        }
                    },
                    "tail " + tail);
        }
    }

    @Test
    void flagsWithAnyValueDoNoHarm() throws MalformedRecord {
        Random random = new Random(SEED);
        Rings rings = new Rings(BYTES);
        for (int i = 0; i < 1000; i++) {
            rings.memory.set(JAVA_INT, RingControlLayout.READER_SLEEPS_OFFSET, random.nextInt());
            rings.memory.set(JAVA_INT, RingControlLayout.WRITER_SLEEPS_OFFSET, random.nextInt());
            rings.memory.set(JAVA_INT, RingControlLayout.BYTES_OFFSET, random.nextInt());
            assertTrue(rings.writer.offer(Rings.record(i, 64)));
            MemorySegment record = rings.reader.poll();
            assertNotNull(record);
            Rings.assertRecord(i, 64, record);
        }
    }
}
