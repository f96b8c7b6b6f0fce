package facet.node.worker;

import facet.abi.worker.MalformedMessage;
import facet.abi.worker.ToDaemon;
import facet.abi.worker.ToWorker;
import facet.abi.worker.WorkerMessage;
import facet.os.Connection;
import facet.os.Message;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/**
 * Messages with descriptors between daemon and worker, from one side of it. Any thread may send,
 * one receives.
 *
 * @param <S> what this side says
 * @param <H> what it hears
 */
final class WorkerLink<S extends WorkerMessage, H extends WorkerMessage> implements AutoCloseable {
    private final Connection connection;
    private final Decoder<H> decoder;

    private interface Decoder<H> {
        H decode(byte[] packet) throws MalformedMessage;
    }

    private WorkerLink(Connection connection, Decoder<H> decoder) {
        this.connection = connection;
        this.decoder = decoder;
    }

    /** The daemon's side. */
    static WorkerLink<ToWorker, ToDaemon> ofDaemon(Connection connection) {
        return new WorkerLink<>(connection, ToDaemon::decode);
    }

    /** The worker's side. */
    static WorkerLink<ToDaemon, ToWorker> ofWorker(Connection connection) {
        return new WorkerLink<>(connection, ToWorker::decode);
    }

    /**
     * What came.
     *
     * @param descriptors as many as come with such a message; the receiver's
     */
    record Received<H>(H message, int[] descriptors) {}

    /** The descriptors stay the sender's. */
    void send(S message, int... descriptors) throws IOException {
        if (!message.takes(descriptors.length)) {
            throw new IllegalArgumentException(
                    message.getClass().getSimpleName()
                            + " with "
                            + descriptors.length
                            + " descriptors");
        }
        connection.send(message.encode(), descriptors);
    }

    /** Sends unless that would block; false when the other side does not read. */
    boolean trySend(S message) throws IOException {
        return connection.trySend(message.encode());
    }

    /** Whether something has come that nobody has read, if only the end. */
    boolean hasNews() {
        try {
            return connection.awaitReadable(Duration.ZERO);
        } catch (IOException e) {
            return true; // it is closed
        }
    }

    /** Waits for a message that must come next, and brings no descriptors. */
    <T extends H> T expect(Class<T> kind, Duration patience) throws IOException {
        String name = kind.getSimpleName();
        if (!connection.awaitReadable(patience)) {
            throw new IOException(
                    "a worker does not say '" + name + "' within " + patience.toSeconds() + " s");
        }
        Received<H> received =
                receive()
                        .orElseThrow(() ->
                                new IOException(
                                        "a worker has ended before it said '"
                                                + name
                                                + "'; its log says why"));
        if (!kind.isInstance(received.message())) {
            throw new IOException(
                    "a worker said '"
                            + received.message().getClass().getSimpleName()
                            + "' instead of '"
                            + name
                            + "'");
        }
        return kind.cast(received.message());
    }

    /** Empty when the other side is gone. */
    Optional<Received<H>> receive() throws IOException {
        Optional<Message> packet = connection.receive(WorkerMessage.LONGEST);
        if (packet.isEmpty()) {
            return Optional.empty();
        }
        int[] descriptors = packet.get().descriptors();
        try {
            H message = decoder.decode(packet.get().bytes());
            if (!message.takes(descriptors.length)) {
                throw new MalformedMessage("it came with " + descriptors.length + " descriptors");
            }
            return Optional.of(new Received<>(message, descriptors));
        } catch (MalformedMessage e) {
            packet.get().closeDescriptors();
            throw new IOException("a message that cannot be read: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        connection.close();
    }
}
