package facet.pool.content;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class ContentStoreTest {
    private static final int PLACES = 16;

    private static boolean has(ContentStore.Shelf shelf, Tag tag, byte[] expected)
            throws IOException {
        return shelf.read(
                tag,
                expected.length,
                data -> assertEquals(-1, data.mismatch(MemorySegment.ofArray(expected))));
    }

    private static byte[] random(Random random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    /** What is there is what was kept last under the tag, and there is never too much. */
    @Test
    void againstAPlainMap() throws IOException {
        long seed = Long.getLong("facet.seed", new Random().nextLong());
        System.out.println("ContentStoreTest: -Dfacet.seed=" + seed);
        Random random = new Random(seed);
        Map<Long, Map<Tag, byte[]>> model = new HashMap<>();
        int hits = 0;
        try (ContentStore store = new ContentStore((long) PLACES * ContentStore.PIECE)) {
            for (int i = 0; i < 5000; i++) {
                long owner = random.nextInt(4);
                ContentStore.Shelf shelf = store.shelf(owner, 7, "slice " + owner);
                Map<Tag, byte[]> kept = model.computeIfAbsent(owner, _ -> new HashMap<>());
                Tag tag = new Tag(random.nextInt(12), 1);
                if (random.nextBoolean()) {
                    byte[] data =
                            random(
                                    random,
                                    random.nextInt(10) == 0
                                            ? ContentStore.PIECE
                                            : 1 + random.nextInt(5000));
                    shelf.keep(tag, MemorySegment.ofArray(data));
                    kept.put(tag, data);
                    assertTrue(has(shelf, tag, data), "what was just kept is there");
                } else {
                    byte[] expected = kept.getOrDefault(tag, new byte[3]);
                    hits += has(shelf, tag, expected) ? 1 : 0;
                }
                assertTrue(
                        store.uses().stream().mapToInt(ContentStore.Use::pieces).sum() <= PLACES);
            }
        }
        assertTrue(hits > 100, hits + " were found, seed " + seed);
    }

    @Test
    void nobodyFindsWhatAnotherHasSent() throws IOException {
        try (ContentStore store = new ContentStore(1 << 20)) {
            byte[] data = random(new Random(1), 10_000);
            Tag tag = new Tag(1, 2);
            store.shelf(1, 1, "one").keep(tag, MemorySegment.ofArray(data));
            assertTrue(has(store.shelf(1, 1, "one"), tag, data), "a later session of it");
            assertFalse(has(store.shelf(1, 2, "other"), tag, data));
            assertFalse(has(store.shelf(1, 1, "one"), tag, new byte[9_999]), "another length");
        }
    }

    @Test
    void whoSendsMuchTakesRoomFromItself() throws IOException {
        try (ContentStore store = new ContentStore((long) PLACES * ContentStore.PIECE)) {
            byte[] small = random(new Random(1), 5000);
            ContentStore.Shelf one = store.shelf(1, 1, "small");
            ContentStore.Shelf other = store.shelf(2, 2, "much");
            for (int i = 0; i < 4; i++) {
                one.keep(new Tag(i, 0), MemorySegment.ofArray(small));
            }
            for (int i = 0; i < 1000; i++) {
                other.keep(new Tag(i, 0), MemorySegment.ofArray(new byte[ContentStore.PIECE]));
            }
            for (int i = 0; i < 4; i++) {
                assertTrue(has(one, new Tag(i, 0), small), "piece " + i);
            }
            assertEquals("much", store.uses().getFirst().owner());
            assertEquals(PLACES - 4, store.uses().getFirst().pieces());
            assertThrows(
                    IllegalArgumentException.class,
                    () ->
                            one.keep(
                                    new Tag(9, 9),
                                    MemorySegment.ofArray(new byte[ContentStore.PIECE + 1])));
        }
    }

    @Test
    void shelvesWithNothingOnThemCostNothing() throws IOException {
        try (ContentStore store = new ContentStore(1 << 20)) {
            for (int i = 0; i < 100_000; i++) {
                store.shelf(i, i, "nobody");
            }
            assertEquals(0, store.uses().size());
        }
    }

    /** One bit more or less, a byte more, another place: another tag; and another one elsewhere. */
    @Test
    void tagsTellDataApart() {
        ContentScope scope = new ContentScope();
        Random random = new Random(3);
        Set<Tag> seen = new HashSet<>();
        byte[] data = random(random, 5000);
        int count = 0;
        for (int length : new int[] {0, 1, 7, 8, 1023, 1024, 1025, 2048, 5000}) {
            assertTrue(seen.add(scope.tag(data, 0, length)), "length " + length);
            count++;
        }
        for (int i = 0; i < 2000; i++) {
            byte[] other = data.clone();
            int bit = i * 19 % (8 * data.length);
            other[bit / 8] ^= (byte) (1 << bit % 8);
            assertTrue(seen.add(scope.tag(other, 0, other.length)), "bit " + bit);
            count++;
        }
        byte[] zeros = new byte[ContentStore.PIECE];
        for (int length = 1024; length <= zeros.length; length += 1024) {
            assertTrue(seen.add(scope.tag(zeros, 0, length)), length + " zeros");
            count++;
        }
        assertEquals(count, seen.size());
        byte[] moved = new byte[6000];
        System.arraycopy(data, 0, moved, 1000, 5000);
        assertEquals(scope.tag(data, 0, 5000), scope.tag(moved, 1000, 5000));
        assertNotEquals(scope.tag(data, 0, 5000), new ContentScope().tag(data, 0, 5000));
        assertFalse(scope.sent(scope.tag(data, 0, 5000)));
        assertTrue(scope.sent(scope.tag(Arrays.copyOf(data, 5000), 0, 5000)));
    }
}
