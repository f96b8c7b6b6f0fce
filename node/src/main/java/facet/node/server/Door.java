package facet.node.server;

import facet.log.Log;
import facet.log.Who;
import facet.os.Connection;
import facet.os.Listener;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Where clients of a slice come in: each gets a thread, at the pace that others can bear. */
final class Door implements AutoCloseable {
    private static final int STACK_BYTES = 256 << 10;

    private final String slice;
    private final Listener listener;
    private final Semaphore room;
    private final Arrivals arrivals = Arrivals.inProcess();
    private final Consumer<Connection> serve;
    private final Log log;

    /**
     * @param most so many clients at a time
     * @param serve returns when the client has gone
     */
    Door(String slice, Listener listener, int most, Consumer<Connection> serve, Log log) {
        this.slice = slice;
        this.listener = listener;
        this.room = new Semaphore(most);
        this.serve = serve;
        this.log = log;
    }

    void open() {
        Thread.ofPlatform()
                .name("facet-slice-" + slice)
                .stackSize(STACK_BYTES)
                .daemon()
                .start(this::acceptAll);
    }

    private void acceptAll() {
        try {
            while (true) {
                room.acquireUninterruptibly();
                Optional<Connection> connection = accept();
                if (connection.isEmpty()) {
                    return;
                }
                Connection client = connection.get();
                TimeUnit.NANOSECONDS.sleep(arrivals.enter(System.nanoTime()));
                startServing(client);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void startServing(Connection client) {
        try {
            Thread.ofPlatform()
                    .name("facet-connection")
                    .stackSize(STACK_BYTES)
                    .daemon()
                    .start(() -> {
                        try {
                            serve.accept(client);
                        } finally {
                            left();
                        }
                    });
        } catch (OutOfMemoryError e) {
            // The system has no thread for it; the next client may find one.
            log.error(Who.slice(slice), "a client is disconnected: " + e.getMessage());
            client.close();
            left();
        }
    }

    private void left() {
        arrivals.leave();
        room.release();
    }

    private Optional<Connection> accept() throws InterruptedException {
        while (true) {
            try {
                return listener.accept();
            } catch (IOException e) {
                // Out of descriptors, most likely: give others time to close theirs.
                log.error(Who.slice(slice), String.valueOf(e.getMessage()));
                Thread.sleep(200);
            }
        }
    }

    /** Nobody comes in any more. */
    @Override
    public void close() throws IOException {
        listener.close();
    }
}
