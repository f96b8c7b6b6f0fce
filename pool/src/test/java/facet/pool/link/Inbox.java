package facet.pool.link;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Keeps what it receives. */
class Inbox implements Receiver {
    final LinkedBlockingQueue<byte[]> commands = new LinkedBlockingQueue<>();
    final LinkedBlockingQueue<byte[]> bulk = new LinkedBlockingQueue<>();
    final CompletableFuture<LinkEnd> end = new CompletableFuture<>();
    final LinkedBlockingQueue<Boolean> changes = new LinkedBlockingQueue<>();

    @Override
    public void receive(LaneKind lane, ByteBuffer message) throws IOException {
        byte[] bytes = new byte[message.remaining()];
        message.get(bytes);
        (lane == LaneKind.COMMANDS ? commands : bulk).add(bytes);
    }

    @Override
    public void changed(boolean connected) {
        changes.add(connected);
    }

    @Override
    public void ended(LinkEnd why, String text) {
        end.complete(why);
    }

    LinkEnd awaitEnd() throws Exception {
        return end.get(60, TimeUnit.SECONDS);
    }

    byte[] next(LaneKind lane) throws InterruptedException {
        byte[] next = (lane == LaneKind.COMMANDS ? commands : bulk).poll(60, TimeUnit.SECONDS);
        if (next == null) {
            throw new AssertionError("nothing came");
        }
        return next;
    }
}
