package facet.pool.piece;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.pool.content.ContentScope;
import facet.pool.content.ContentStore;
import facet.pool.link.LinkViolation;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class PiecesTest {
    private static final int BEFORE = 24;

    /** Whatever else the machine does, to compress is faster. */
    private static final double SLOW = 1e3;

    /** Data of many kinds: random, text, zeros, pages of each. */
    private static byte[] draw(Random random) {
        byte[] data = new byte[1 + random.nextInt(random.nextBoolean() ? 20_000 : Forms.PIECE)];
        for (int at = 0; at < data.length; at += Forms.PAGE) {
            int kind = random.nextInt(4);
            for (int i = at; i < Math.min(data.length, at + Forms.PAGE) && kind != 0; i++) {
                data[i] =
                        switch (kind) {
                            case 1 -> (byte) random.nextInt();
                            case 2 -> (byte) (i % 17);
                            default -> (byte) (i % 4 == 3 ? random.nextInt(3) : 0);
                        };
            }
        }
        return data;
    }

    private static int read(PieceReader reader, ByteBuffer message, byte[] expected)
            throws IOException {
        return reader.read(
                message.order(ByteOrder.LITTLE_ENDIAN).position(BEFORE),
                data -> {
                    assertEquals(expected.length, data.byteSize());
                    assertEquals(-1, data.mismatch(MemorySegment.ofArray(expected)));
                });
    }

    @Test
    void whatIsSentComesOut() throws IOException {
        long seed = Long.getLong("facet.seed", new Random().nextLong());
        System.out.println("PiecesTest: -Dfacet.seed=" + seed);
        Random random = new Random(seed);
        double[] rate = {0};
        long sent = 0;
        long plain = 0;
        int missed = 0;
        try (ContentStore store = new ContentStore(16L * Forms.PIECE)) {
            ContentScope scope = new ContentScope();
            PieceWriter writer = new PieceWriter(scope, () -> rate[0], BEFORE);
            PieceReader reader = new PieceReader(store.shelf(scope.high(), scope.low(), "a slice"));
            byte[][] all = new byte[40][];
            for (int i = 0; i < all.length; i++) {
                all[i] = draw(random);
            }
            for (int round = 0; round < 1000; round++) {
                rate[0] = random.nextInt(3) * SLOW * random.nextInt(100_000);
                // Some are sent again and again, so that others are pushed out.
                byte[] data = all[random.nextInt(random.nextBoolean() ? 8 : all.length)];
                MemorySegment memory = MemorySegment.ofArray(data);
                ByteBuffer message = writer.write(memory, 0, data.length, true);
                sent += message.remaining();
                plain += data.length;
                int length = read(reader, message, data);
                if (length < 0) {
                    missed++;
                    message = writer.write(memory, 0, data.length, false);
                    sent += message.remaining();
                    length = read(reader, message, data);
                }
                assertEquals(data.length, length, "seed " + seed);
            }
        }
        System.out.println(sent + " of " + plain + " bytes, " + missed + " were asked for");
        assertTrue(sent < plain * 0.6, sent + " of " + plain + ", seed " + seed);
        assertTrue(missed > 0, "nothing was ever pushed out, seed " + seed);
    }

    @Test
    void theSecondTimeAHashIsSent() throws IOException {
        try (ContentStore store = new ContentStore(4L * Forms.PIECE)) {
            byte[] data = new byte[Forms.PIECE];
            new Random(1).nextBytes(data);
            ContentScope scope = new ContentScope();
            for (int session = 0; session < 3; session++) {
                PieceWriter writer = new PieceWriter(scope, () -> 0, BEFORE);
                PieceReader reader =
                        new PieceReader(store.shelf(scope.high(), scope.low(), "a slice"));
                ByteBuffer message =
                        writer.write(MemorySegment.ofArray(data), 0, data.length, true);
                assertEquals(session > 0, message.remaining() < 100, "session " + session);
                assertEquals(data.length, read(reader, message, data));
            }
        }
    }

    @Test
    void zerosAreNotSent() throws IOException {
        PieceWriter writer = new PieceWriter(null, () -> 0, BEFORE);
        byte[] data = new byte[Forms.PIECE - 100];
        MemorySegment memory = MemorySegment.ofArray(data);
        assertTrue(writer.write(memory, 0, data.length, true).remaining() < 64);
        data[data.length - 1] = 1;
        ByteBuffer message = writer.write(memory, 0, data.length, true);
        assertTrue(message.remaining() < 64 + Forms.PAGE);
        assertEquals(data.length, read(new PieceReader(null), message, data));
    }

    /** Data that does not get smaller is sent as it is, and soon nobody tries any more. */
    @Test
    void itIsCompressedWhereThatPays() throws IOException {
        byte[] text = new byte[Forms.PIECE];
        for (int i = 0; i < text.length; i++) {
            text[i] = (byte) (i * 7 % 23 + i / 1000);
        }
        double[] rate = {0};
        PieceWriter writer = new PieceWriter(null, () -> rate[0], BEFORE);
        MemorySegment memory = MemorySegment.ofArray(text);
        assertTrue(writer.write(memory, 0, text.length, true).remaining() > text.length);
        rate[0] = SLOW;
        for (int i = 0; i < 50; i++) {
            ByteBuffer message = writer.write(memory, 0, text.length, true);
            assertTrue(message.remaining() < text.length / 2, "piece " + i);
            assertEquals(text.length, read(new PieceReader(null), message, text));
        }
        rate[0] = 1e12;
        assertTrue(writer.write(memory, 0, text.length, true).remaining() > text.length);
    }

    @Test
    void nonsenseIsRefused() throws IOException {
        long seed = Long.getLong("facet.seed", new Random().nextLong());
        System.out.println("PiecesTest: -Dfacet.seed=" + seed);
        Random random = new Random(seed);
        int refused = 0;
        try (ContentStore store = new ContentStore(4L * Forms.PIECE)) {
            ContentScope scope = new ContentScope();
            double[] rate = {SLOW};
            PieceWriter writer = new PieceWriter(scope, () -> rate[0], BEFORE);
            PieceReader reader = new PieceReader(store.shelf(scope.high(), scope.low(), "a slice"));
            for (int round = 0; round < 3000; round++) {
                byte[] data = draw(random);
                rate[0] = random.nextInt(2) * SLOW;
                ByteBuffer from =
                        writer.write(
                                MemorySegment.ofArray(data), 0, data.length, random.nextBoolean());
                byte[] bytes = new byte[from.remaining()];
                from.get(bytes);
                for (int k = random.nextInt(5); k >= 0; k--) {
                    int near =
                            Math.min(
                                    bytes.length - BEFORE,
                                    random.nextBoolean() ? 40 : bytes.length);
                    bytes[BEFORE + random.nextInt(near)] = (byte) random.nextInt();
                }
                int length =
                        random.nextInt(4) == 0
                                ? BEFORE + random.nextInt(bytes.length - BEFORE)
                                : bytes.length;
                try {
                    int count =
                            reader.read(
                                    ByteBuffer.wrap(bytes, 0, length)
                                            .order(ByteOrder.LITTLE_ENDIAN)
                                            .position(BEFORE),
                                    piece -> assertTrue(piece.byteSize() <= Forms.PIECE));
                    assertTrue(Math.abs(count) <= Forms.PIECE);
                } catch (LinkViolation e) {
                    refused++;
                }
            }
        }
        assertTrue(refused > 300, refused + " were refused, seed " + seed);
    }
}
