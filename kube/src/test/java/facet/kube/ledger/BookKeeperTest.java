package facet.kube.ledger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

final class BookKeeperTest {
    /** Books in memory; some answers get lost on the way. */
    private static final class Shelf implements BookStore {
        private final Map<String, Book> books = new HashMap<>();
        private final Random random = new Random(7);
        private long version;
        private int writes;
        private boolean unreliable;

        @Override
        public synchronized Book read(String node) {
            return books.getOrDefault(node, Book.empty(node));
        }

        @Override
        public synchronized Optional<Book> write(Book book) throws IOException {
            writes++;
            if (unreliable && random.nextInt(5) == 0) {
                throw new IOException("lost before it was written");
            }
            if (!read(book.node()).version().equals(book.version())) {
                return Optional.empty();
            }
            Book next = new Book(book.node(), Long.toString(++version), book.entries());
            books.put(book.node(), next);
            if (unreliable && random.nextInt(5) == 0) {
                throw new IOException("lost after it was written");
            }
            return Optional.of(next);
        }
    }

    private static final List<Device> DEVICES = Samples.facts("n", 1).devices();

    private static Entry entry(String uid, int thousandths) {
        Given given = new Given(List.of("n-0"), Samples.GIB >> 4, thousandths, 0, 0, 0, "fixed", 0);
        return new Entry(uid, "default", uid, "1", 0, new Placed(uid, Map.of("c", given)));
    }

    @Test
    @Timeout(60)
    void twoWhoWantTheSameThousandth() throws Exception {
        Shelf shelf = new Shelf();
        shelf.unreliable = true;
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<BookKeeper> keepers = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                keepers.add(new BookKeeper(shelf, _ -> DEVICES, (_, _) -> false, threads));
            }
            List<CompletableFuture<Boolean>> results = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                results.add(keepers.get(i % 4).add("n", entry("pod-" + i, 30)));
            }
            int entered = 0;
            for (int i = 0; i < 100; i++) {
                boolean there = shelf.read("n").entries().containsKey("pod-" + i);
                entered += results.get(i).get() ? 1 : 0;
                assertEquals(
                        results.get(i).get(),
                        shelf.read("n").entries().containsKey("pod-" + i) || there);
            }
            // 33 times 30 is 990: one more would be too much, and none less fits.
            assertEquals(33, entered);
            assertEquals(33, shelf.read("n").entries().size());
        }
    }

    @Test
    @Timeout(60)
    void manyForANodeCostFewWrites() throws Exception {
        Shelf shelf = new Shelf();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            BookKeeper keeper = new BookKeeper(shelf, _ -> DEVICES, (_, _) -> false, threads);
            List<CompletableFuture<Boolean>> results = new ArrayList<>();
            synchronized (shelf) {
                for (int i = 0; i < 50; i++) {
                    results.add(keeper.add("n", entry("pod-" + i, 20)));
                }
            }
            for (CompletableFuture<Boolean> each : results) {
                assertTrue(each.get());
            }
            assertTrue(shelf.writes <= 3, shelf.writes + " writes");
        }
    }

    @Test
    @Timeout(60)
    void whoIsGoneMakesRoomWithoutAWriteOfItsOwn() throws Exception {
        Shelf shelf = new Shelf();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            BookKeeper keeper =
                    new BookKeeper(
                            shelf, _ -> DEVICES, (_, each) -> each.uid().equals("old"), threads);
            assertTrue(keeper.add("n", entry("old", 900)).get());
            assertTrue(keeper.add("n", entry("new", 900)).get());
            assertEquals(java.util.Set.of("new"), shelf.read("n").entries().keySet());
            assertEquals(2, shelf.writes);
        }
    }

    @Test
    @Timeout(60)
    void thePodOfAnotherIsNotTakenOver() throws Exception {
        Shelf shelf = new Shelf();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            BookKeeper keeper = new BookKeeper(shelf, _ -> DEVICES, (_, _) -> false, threads);
            assertTrue(keeper.add("n", entry("a", 100)).get());
            Entry other = new Entry("a", "default", "a", "1", 0, entry("other", 200).placed());
            assertFalse(keeper.add("n", other).get());
            Entry kept = Objects.requireNonNull(shelf.read("n").entries().get("a"));
            assertEquals("a", kept.placed().by());
        }
    }
}
