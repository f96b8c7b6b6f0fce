package facet.pool.template;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.abi.RecordHeaderLayout;
import facet.pool.link.LinkViolation;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class RecordsTest {
    private static final int MOST_RECORD = 512 << 10;
    private static final long MOST_BATCH = 1 << 20;

    private final RecordEncoder encoder = new RecordEncoder();
    private final RecordDecoder decoder = new RecordDecoder(MOST_RECORD, MOST_BATCH);
    private long sequence;

    private byte[] record(int type, int slot, byte... payload) {
        int length = RecordHeaderLayout.BYTES + Math.ceilDiv(payload.length, 8) * 8;
        return ByteBuffer.allocate(length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(RecordHeaderLayout.LENGTH_OFFSET, length)
                .putShort(RecordHeaderLayout.TYPE_OFFSET, (short) type)
                .putShort(RecordHeaderLayout.SLOT_OFFSET, (short) slot)
                .putLong(RecordHeaderLayout.SEQUENCE_OFFSET, ++sequence)
                .put(RecordHeaderLayout.BYTES, payload)
                .array();
    }

    private static byte[] random(Random random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    /** Sends a batch; says how many bytes it took. */
    private int travel(List<byte[]> records) throws IOException {
        records.forEach(each -> encoder.add(MemorySegment.ofArray(each)));
        RecordEncoder.Batch batch = encoder.take();
        assertEquals(records.size(), batch.records());
        List<byte[]> come = new ArrayList<>();
        long plain =
                decoder.decode(
                        ByteBuffer.wrap(batch.bytes(), 0, batch.length()),
                        (bytes, length) -> come.add(Arrays.copyOf(bytes, length)));
        assertEquals(batch.plain(), plain);
        assertEquals(records.size(), come.size());
        for (int i = 0; i < come.size(); i++) {
            assertArrayEquals(records.get(i), come.get(i), "record " + i);
        }
        return batch.length();
    }

    /** 300 launches and 4 waits a step, a counter in every tenth of them. */
    @Test
    void aStepThatRepeatsCostsLittle() throws IOException {
        Random random = new Random(1);
        List<byte[]> payloads = new ArrayList<>();
        for (int i = 0; i < 304; i++) {
            payloads.add(random(random, i % 76 == 75 ? 8 : 88));
        }
        long plain = 0;
        long bytes = 0;
        for (int step = 0; step < 100; step++) {
            List<byte[]> records = new ArrayList<>();
            for (int i = 0; i < payloads.size(); i++) {
                byte[] payload = payloads.get(i).clone();
                if (i % 10 == 0) {
                    payload[40 % payload.length] = (byte) step;
                }
                records.add(record(18, i % 76 == 75 ? 1 : 0, payload));
            }
            int sent = travel(records);
            if (step >= 2) {
                bytes += sent;
                plain += records.stream().mapToInt(each -> each.length).sum();
            }
        }
        System.out.println("a step: " + bytes / 98 + " of " + plain / 98 + " bytes");
        assertTrue(bytes * 50 < plain, bytes + " of " + plain);
    }

    /** Sequences of sequences, with changes, insertions and whatever else, in random batches. */
    @Test
    void whatIsSentComesOut() throws IOException {
        long seed = Long.getLong("facet.seed", new Random().nextLong());
        System.out.println("RecordsTest: -Dfacet.seed=" + seed);
        Random random = new Random(seed);
        List<List<byte[]>> programs = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            List<byte[]> program = new ArrayList<>();
            for (int j = 1 + random.nextInt(400); j > 0; j--) {
                program.add(
                        random(
                                random,
                                random.nextInt(20) == 0
                                        ? random.nextInt(9000)
                                        : random.nextInt(200)));
            }
            programs.add(program);
        }
        List<byte[]> batch = new ArrayList<>();
        long bytes = 0;
        for (int round = 0; round < 400; round++) {
            for (byte[] payload : programs.get(random.nextInt(programs.size()))) {
                byte[] now = payload;
                if (now.length > 0 && random.nextInt(8) == 0) {
                    now = now.clone();
                    for (int k = random.nextInt(4); k >= 0; k--) {
                        now[random.nextInt(now.length)] = (byte) random.nextInt();
                    }
                }
                if (random.nextInt(50) == 0) {
                    sequence += random.nextInt(3) - 1; // no honest program does
                }
                batch.add(record(1 + random.nextInt(2), random.nextInt(30) == 0 ? 3 : 0, now));
                bytes += batch.getLast().length;
                if (random.nextInt(60) == 0 || bytes > 400_000) {
                    travel(batch);
                    batch.clear();
                    bytes = 0;
                }
            }
        }
        travel(batch);
    }

    @Test
    void aRunWithoutEndIsRefused() throws IOException {
        travel(List.of(record(1, 0, new byte[64])));
        byte[] message = {
            (byte) (1 << 2 | Words.JUMP),
            (byte) 0xfc,
            (byte) 0xff,
            (byte) 0xff,
            (byte) 0xff,
            (byte) 0xff,
            (byte) 0xff,
            0x3f
        };
        long[] count = new long[1];
        assertThrows(
                LinkViolation.class,
                () -> decoder.decode(ByteBuffer.wrap(message), (_, length) -> count[0] += length));
        assertTrue(count[0] <= MOST_BATCH, count[0] + " bytes");
    }

    /** Whatever comes: a refusal, or records within the bounds, in little time and memory. */
    @Test
    void nonsenseIsRefused() {
        long seed = Long.getLong("facet.seed", new Random().nextLong());
        System.out.println("RecordsTest: -Dfacet.seed=" + seed);
        Random random = new Random(seed);
        int refused = 0;
        for (int round = 0; round < 20_000; round++) {
            RecordEncoder writer = new RecordEncoder();
            RecordDecoder reader = new RecordDecoder(1 << 10, 4 << 10);
            for (int i = random.nextInt(20); i >= 0; i--) {
                writer.add(
                        MemorySegment.ofArray(record(1, 0, random(random, random.nextInt(3) * 8))));
            }
            RecordEncoder.Batch batch = writer.take();
            byte[] bytes = Arrays.copyOf(batch.bytes(), batch.length());
            for (int k = random.nextInt(6); k >= 0; k--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            int length = random.nextInt(4) == 0 ? random.nextInt(bytes.length) : bytes.length;
            long[] sum = new long[1];
            try {
                reader.decode(
                        ByteBuffer.wrap(bytes, 0, length),
                        (record, count) -> {
                            assertTrue(count >= RecordHeaderLayout.BYTES && count <= 1 << 10);
                            assertEquals(
                                    count,
                                    ByteBuffer.wrap(record)
                                            .order(ByteOrder.LITTLE_ENDIAN)
                                            .getInt());
                            sum[0] += count;
                        });
            } catch (LinkViolation e) {
                refused++;
            } catch (IOException e) {
                throw new AssertionError("seed " + seed, e);
            }
            assertTrue(sum[0] <= 4 << 10, "seed " + seed);
        }
        assertTrue(refused > 1000, refused + " were refused");
    }

    @Test
    void theHistoryIsBounded() {
        History history = new History();
        for (int i = 0; i < 100_000; i++) {
            history.add(new History.Kept(new byte[RecordHeaderLayout.BYTES], 0));
        }
        assertEquals(History.MOST_RECORDS, history.end() - history.start());
        for (int i = 0; i < 10_000; i++) {
            history.add(new History.Kept(new byte[History.MOST_RECORD], 0));
        }
        assertEquals(History.MOST_BYTES / History.MOST_RECORD, history.end() - history.start());
        history.add(new History.Kept(new byte[History.MOST_RECORD + 8], 0));
        assertEquals(110_000, history.end(), "data is not kept");
    }
}
