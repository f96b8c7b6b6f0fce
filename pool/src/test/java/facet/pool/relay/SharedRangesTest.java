package facet.pool.relay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.os.SharedMemoryUnsafe;
import facet.pool.link.LinkViolation;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class SharedRangesTest {
    private static final int BYTES = 1 << 20;

    private final SharedRanges one = side();
    private final SharedRanges other = side();

    private static SharedRanges side() {
        try {
            return new SharedRanges(SharedMemoryUnsafe.create("one", BYTES), "shadow");
        } catch (java.io.IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @AfterEach
    void close() {
        one.close();
        other.close();
    }

    private void share(long offset, long bytes) {
        one.add(offset, bytes, false);
        other.add(offset, bytes, true);
    }

    private static boolean tell(SharedRanges from, SharedRanges to) throws Exception {
        return from.tell(
                3,
                message -> {
                    assertEquals(3, message.getInt(4));
                    to.apply(message.position(Messages.PATCH_HEAD));
                });
    }

    @Test
    void whatWasThereBeforeIsTold() throws Exception {
        one.segment().asSlice(256, 1000).fill((byte) 5);
        other.segment().asSlice(0, 4096).fill((byte) 9); // of somebody before
        share(256, 2000);
        assertTrue(tell(one, other));
        MemorySegment there = other.segment().asSlice(256, 2000);
        assertEquals(-1, there.mismatch(one.segment().asSlice(256, 2000)));
        assertEquals(9, other.segment().get(ValueLayout.JAVA_BYTE, 255), "nobody shares that");
        assertFalse(tell(one, other), "nothing is new");
        assertFalse(tell(other, one), "what came from there is known there");
    }

    @Test
    void memoryThatIsNotSharedAnyMoreIsNotTold() throws Exception {
        share(0, 4096);
        assertTrue(one.remove(0));
        one.segment().fill((byte) 1);
        assertFalse(tell(one, other));
        assertEquals(0, other.segment().get(ValueLayout.JAVA_BYTE, 0));
        assertTrue(one.isEmpty());
    }

    /** Each side writes bytes of its own, side by side, while patches are under way both ways. */
    @Test
    void bothSidesWriteAtOnce() throws Exception {
        long seed = new Random().nextLong();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        share(512, 200_000);
        share(300_000, 8);
        share(400_000, 77_777);
        boolean[] owner = new boolean[BYTES];
        for (int i = 0; i < BYTES; i++) {
            owner[i] = random.nextBoolean();
        }
        byte[] model = new byte[BYTES];
        ArrayDeque<ByteBuffer> toOther = new ArrayDeque<>();
        ArrayDeque<ByteBuffer> toOne = new ArrayDeque<>();
        long[][] ranges = {{512, 200_000}, {300_000, 8}, {400_000, 77_777}};
        for (int round = 0; round < 300; round++) {
            long[] range = ranges[random.nextInt(ranges.length)];
            int first = (int) (range[0] + random.nextInt((int) range[1]));
            int end = (int) Math.min(range[0] + range[1], first + 1 + random.nextInt(5000));
            for (int i = first; i < end; i++) {
                model[i] = (byte) random.nextInt();
                (owner[i] ? one : other).segment().set(ValueLayout.JAVA_BYTE, i, model[i]);
            }
            switch (random.nextInt(4)) {
                case 0 -> one.tell(3, toOther::add);
                case 1 -> other.tell(3, toOne::add);
                case 2 -> deliver(toOther.poll(), other);
                default -> deliver(toOne.poll(), one);
            }
        }
        one.tell(3, toOther::add);
        other.tell(3, toOne::add);
        while (!toOther.isEmpty() || !toOne.isEmpty()) {
            deliver(toOther.poll(), other);
            deliver(toOne.poll(), one);
        }
        MemorySegment expected = MemorySegment.ofArray(model);
        for (SharedRanges each : new SharedRanges[] {one, other}) {
            assertEquals(-1, each.segment().mismatch(expected), "seed " + seed);
        }
    }

    private static void deliver(
            @org.jspecify.annotations.Nullable ByteBuffer message, SharedRanges to)
            throws LinkViolation {
        if (message != null) {
            to.apply(message.position(Messages.PATCH_HEAD));
        }
    }

    /** What programs have written since is theirs, until the other side is told. */
    @Test
    void whatWasWrittenHereSinceStays() throws Exception {
        share(0, 64);
        one.segment().set(ValueLayout.JAVA_BYTE, 1, (byte) 1);
        other.segment().set(ValueLayout.JAVA_BYTE, 1, (byte) 2);
        other.segment().set(ValueLayout.JAVA_BYTE, 2, (byte) 3);
        tell(one, other);
        assertEquals(2, other.segment().get(ValueLayout.JAVA_BYTE, 1));
        tell(other, one);
        assertEquals(2, one.segment().get(ValueLayout.JAVA_BYTE, 1));
        assertEquals(3, one.segment().get(ValueLayout.JAVA_BYTE, 2));
    }

    @Test
    void patchesThatMakeNoSenseAreRefused() {
        long[][] wrong = {
            {-8, 1},
            {BYTES, 1},
            {Long.MAX_VALUE, 1},
            {Long.MIN_VALUE, 1},
            {BYTES - 8, 1},
            {3, 1},
            {0, -1},
        };
        for (long[] each : wrong) {
            ByteBuffer patch = ByteBuffer.allocate(73).order(ByteOrder.LITTLE_ENDIAN);
            patch.putLong(0, each[0]).putLong(8, each[1]);
            assertThrows(LinkViolation.class, () -> one.apply(patch), each[0] + "");
        }
        assertThrows(LinkViolation.class, () -> one.apply(ByteBuffer.allocate(71)));
        for (long offset : new long[] {-1, BYTES, BYTES - 9, Long.MAX_VALUE, Long.MIN_VALUE}) {
            assertThrows(
                    LinkViolation.class,
                    () -> one.write(offset, MemorySegment.ofArray(new byte[10])));
        }
    }
}
