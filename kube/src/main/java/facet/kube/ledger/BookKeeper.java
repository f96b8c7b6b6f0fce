package facet.kube.ledger;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.BiPredicate;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Writes entries into books. One write for a node is under way at a time; what comes meanwhile goes
 * into the next one together, so that many pods for a node cost few writes. Entries of pods that
 * are gone are left out whenever a book is written, and need no write of their own.
 */
public final class BookKeeper {
    private static final int MOST_ATTEMPTS = 20;
    private static final long LONGEST_PAUSE = 1000;

    /**
     * @param instead what its pod had so far; nothing: it is new
     */
    private record Order(Entry entry, @Nullable Placed instead, CompletableFuture<Boolean> done) {}

    /** Of one node. */
    private static final class Desk {
        private Book book;
        private final List<Order> orders = new ArrayList<>();

        /** By their uids: the version of the pod for which the line was written. */
        private final Map<String, String> leaving = new HashMap<>();

        private boolean busy;

        Desk(String node) {
            book = Book.empty(node);
        }
    }

    private final BookStore store;
    private final Function<String, List<Device>> devices;
    private final BiPredicate<String, Entry> gone;
    private final Executor threads;
    private final Map<String, Desk> desks = new HashMap<>();

    /**
     * @param devices of a node, by its name
     * @param gone whether the pod of an entry in a node's book is certainly no more, or elsewhere
     * @param threads that may wait
     */
    public BookKeeper(
            BookStore store,
            Function<String, List<Device>> devices,
            BiPredicate<String, Entry> gone,
            Executor threads) {
        this.store = store;
        this.devices = devices;
        this.gone = gone;
        this.threads = threads;
    }

    /** A book as somebody wrote it. What is older than what is known already is ignored. */
    public void seen(Book book) {
        synchronized (desks) {
            Desk desk = desk(book.node());
            if (!desk.busy && isNewer(book.version(), desk.book.version())) {
                desk.book = book;
            }
        }
    }

    /** Versions of objects count upwards. */
    public static boolean isNewer(String version, String than) {
        try {
            return than.isEmpty() || Long.parseLong(version) > Long.parseLong(than);
        } catch (NumberFormatException e) {
            return !version.equals(than);
        }
    }

    /** As it is known here. */
    public Book book(String node) {
        synchronized (desks) {
            return desk(node).book;
        }
    }

    private Desk desk(String node) {
        return desks.computeIfAbsent(node, Desk::new);
    }

    /**
     * @return whether it is in the book: then its pod may be bound. Not where others have promised
     *     the room meanwhile
     */
    public CompletableFuture<Boolean> add(String node, Entry entry) {
        return add(node, entry, null);
    }

    /**
     * The same for a pod that has another part so far.
     *
     * @return whether the new one is in the book; else what it had still is
     */
    public CompletableFuture<Boolean> change(String node, Entry entry, Placed instead) {
        return add(node, entry, instead);
    }

    private CompletableFuture<Boolean> add(String node, Entry entry, @Nullable Placed instead) {
        CompletableFuture<Boolean> done = new CompletableFuture<>();
        synchronized (desks) {
            Desk desk = desk(node);
            desk.orders.add(new Order(entry, instead, done));
            start(node, desk);
        }
        return done;
    }

    /**
     * It is left out of the next book that is written, unless somebody wrote it anew meanwhile.
     *
     * @param version of the pod for which it was written
     */
    public void remove(String node, String uid, String version) {
        synchronized (desks) {
            desk(node).leaving.put(uid, version);
        }
    }

    /** Writes a book if something in it is gone. */
    public void tidy(String node) {
        synchronized (desks) {
            Desk desk = desk(node);
            boolean stale =
                    desk.book.entries().values().stream().anyMatch(each -> gone.test(node, each));
            if (stale || !desk.leaving.isEmpty()) {
                start(node, desk);
            }
        }
    }

    private void start(String node, Desk desk) {
        if (!desk.busy) {
            desk.busy = true;
            threads.execute(() -> work(node, desk));
        }
    }

    private void work(String node, Desk desk) {
        while (true) {
            List<Order> orders;
            Map<String, String> leaving;
            synchronized (desks) {
                orders = List.copyOf(desk.orders);
                leaving = Map.copyOf(desk.leaving);
                desk.orders.clear();
                desk.leaving.clear();
            }
            Map<Order, Boolean> results = write(node, desk, orders, leaving);
            boolean more;
            synchronized (desks) {
                more = !desk.orders.isEmpty();
                desk.busy = more;
            }
            results.forEach((order, result) -> order.done().complete(result));
            if (!more) {
                return;
            }
        }
    }

    private Map<Order, Boolean> write(
            String node, Desk desk, List<Order> orders, Map<String, String> leaving) {
        Map<Order, Boolean> results = new HashMap<>();
        Book known;
        synchronized (desks) {
            known = desk.book;
        }
        for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
            try {
                results.clear();
                Book next = next(node, known, orders, leaving, results);
                if (next.entries().equals(known.entries())) {
                    return results;
                }
                Optional<Book> written = store.write(next);
                if (written.isPresent()) {
                    synchronized (desks) {
                        desk.book = written.get();
                    }
                    return results;
                }
                known = store.read(node);
            } catch (IOException e) {
                // It may have been written or not: what is there then says so.
                pause(attempt);
                known = readAgain(node, known);
            }
            synchronized (desks) {
                desk.book = known;
            }
        }
        orders.forEach(each -> results.put(each, false));
        return results;
    }

    /** What is known stays known when the store does not answer: it is asked again anyway. */
    private Book readAgain(String node, Book known) {
        try {
            return store.read(node);
        } catch (IOException e) {
            return known;
        }
    }

    private Book next(
            String node,
            Book known,
            List<Order> orders,
            Map<String, String> leaving,
            Map<Order, Boolean> results) {
        Book next = known;
        for (Entry each : known.entries().values()) {
            if (each.version().equals(leaving.get(each.uid())) || gone.test(node, each)) {
                next = next.without(each.uid());
            }
        }
        List<Device> there = devices.apply(node);
        for (Order each : orders) {
            Entry other = next.entries().get(each.entry().uid());
            Book with = next.with(each.entry());
            // Somebody else may be about to bind this very pod, with other devices.
            boolean ours =
                    other == null
                            || other.placed().equals(each.entry().placed())
                            || other.placed().equals(each.instead());
            boolean fits = ours && with.holds(there, each.entry().uid());
            results.put(each, fits);
            next = fits ? with : next;
        }
        return next;
    }

    private static void pause(int attempt) {
        try {
            TimeUnit.MILLISECONDS.sleep(Math.min(LONGEST_PAUSE, 10L << Math.min(attempt, 7)));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
