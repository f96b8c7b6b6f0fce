package facet.pool.relay;

import facet.pool.content.ContentStore;
import facet.pool.link.Link;
import facet.pool.link.LinkViolation;
import facet.pool.piece.PieceReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** What comes over the bulk lane to the node of the device; one thread. */
final class FarData {
    private final Link link;
    private final Arrived arrived;
    private final Questions questions;
    private final AtomicReferenceArray<@Nullable FarContext> contexts;
    private final Runnable shares;
    private volatile @Nullable PieceReader pieces;

    /**
     * @param shares runs when more memory is shared from now on
     */
    FarData(
            Link link,
            Arrived arrived,
            Questions questions,
            AtomicReferenceArray<@Nullable FarContext> contexts,
            Runnable shares) {
        this.link = link;
        this.arrived = arrived;
        this.questions = questions;
        this.contexts = contexts;
        this.shares = shares;
    }

    /** Where its program's data is kept. */
    void open(ContentStore.Shelf shelf) {
        pieces = new PieceReader(shelf);
    }

    void receive(ByteBuffer message) throws IOException {
        int id = message.getInt(4);
        FarContext context = id < 0 || id >= contexts.length() ? null : contexts.get(id);
        SharedRanges memory = context == null ? null : context.memory();
        byte kind = message.get(0);
        if (kind == Messages.DATA || kind == Messages.AGAIN) {
            piece(kind, id, memory, message);
            return;
        }
        if (memory != null) { // else of a context that is gone
            shared(kind, memory, message);
        }
        arrived.one();
    }

    private void piece(byte kind, int id, @Nullable SharedRanges memory, ByteBuffer message)
            throws IOException {
        PieceReader reader = pieces;
        if (reader == null || message.remaining() < Messages.PIECE_HEAD) {
            throw new LinkViolation("bulk data without a place");
        }
        long offset = message.getLong(8);
        long number = message.getLong(16);
        int bytes = message.remaining();
        int length =
                memory == null
                        ? 0
                        : reader.read(
                                message.position(Messages.PIECE_HEAD),
                                data -> memory.write(offset, data));
        link.reduction().received(bytes, Messages.PIECE_HEAD + Math.abs(length));
        if (length < 0 && kind == Messages.DATA) {
            ask(id, offset, -length);
            return;
        }
        arrived.one();
        if (kind == Messages.AGAIN) {
            arrived.found(number);
        }
    }

    private void ask(int context, long offset, int length) throws LinkViolation {
        if (arrived.missed() >= Messages.MOST_MISSING) {
            throw new LinkViolation("it names data that it never sent");
        }
        questions.ask(context, arrived.missing(), offset, length);
    }

    private void shared(byte kind, SharedRanges memory, ByteBuffer message) throws LinkViolation {
        if (kind == Messages.PATCH) {
            memory.apply(message.position(Messages.PATCH_HEAD));
            return;
        }
        if (message.remaining() < Messages.HEAD) {
            throw new LinkViolation("bulk data without a place");
        }
        long offset = message.getLong(8);
        ByteBuffer rest = message.position(Messages.HEAD);
        switch (kind) {
            case Messages.UNSHARE -> memory.remove(offset);
            case Messages.SHARE -> {
                long bytes = rest.remaining() < Long.BYTES ? -1 : rest.getLong();
                long all = memory.segment().byteSize();
                if (offset < 0 || bytes < 0 || offset > all || bytes > all - offset) {
                    throw new LinkViolation("shared memory that is not there");
                }
                memory.add(offset, bytes, true);
                shares.run();
            }
            default -> throw new LinkViolation("bulk data of kind " + kind);
        }
    }
}
