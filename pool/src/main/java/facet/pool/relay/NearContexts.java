package facet.pool.relay;

import facet.abi.Constants;
import facet.abi.MalformedCommand;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** The contexts of a session on the program's node. Any thread. */
final class NearContexts implements AutoCloseable {
    private final AtomicReferenceArray<@Nullable NearContext> all =
            new AtomicReferenceArray<>(Constants.CONTEXTS);

    /** The one of a number that anybody may have said; null: there is none. */
    @Nullable NearContext get(int id) {
        return id < 0 || id >= all.length() ? null : all.get(id);
    }

    /** Of a command, whose context is a number that there can be. */
    void set(int id, @Nullable NearContext context) {
        all.set(id, context);
    }

    /** Whether kernels run that may wait for what the program writes. */
    boolean areWatched() {
        for (int i = 0; i < all.length(); i++) {
            NearContext each = all.get(i);
            SharedRanges image = each == null ? null : each.memory();
            if (image != null && each.isBusy() && !image.isEmpty()) {
                return true;
            }
        }
        return false;
    }

    /** Tells the other side what the program has written in memory that both share. */
    void tell(BulkLane data) throws IOException {
        for (int i = 0; i < all.length(); i++) {
            NearContext each = all.get(i);
            SharedRanges image = each == null ? null : each.memory();
            if (image != null) {
                image.tell(i, data::send);
            }
        }
    }

    long sum(ToLongFunction<NearContext> figure) {
        long sum = 0;
        for (int i = 0; i < all.length(); i++) {
            NearContext each = all.get(i);
            sum = each == null ? sum : Math.addExact(sum, figure.applyAsLong(each));
        }
        return sum;
    }

    /**
     * The other node has the same bounds, and more memory than this one perhaps.
     *
     * @param mostPinned bytes of this machine's memory
     */
    void check(long mostPinned) throws MalformedCommand {
        long staging = sum(each -> each.book().staging());
        long pinned = sum(each -> each.book().pinned());
        if (staging > Constants.STAGING_BYTES || pinned > mostPinned) {
            throw new MalformedCommand(
                    "it takes more of its machine's memory than it may: "
                            + staging
                            + " bytes for data on its way, "
                            + pinned
                            + " pinned");
        }
    }

    @Override
    public void close() {
        for (int i = 0; i < all.length(); i++) {
            NearContext each = all.getAndSet(i, null);
            if (each != null) {
                each.close();
            }
        }
    }
}
