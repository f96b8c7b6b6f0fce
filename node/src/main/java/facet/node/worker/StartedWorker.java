package facet.node.worker;

import facet.abi.worker.ToDaemon;
import facet.abi.worker.ToWorker;
import facet.abi.worker.Warm;
import facet.abi.worker.WorkerProtocol;
import facet.log.Log;
import facet.os.Connection;
import facet.os.Listener;
import facet.os.SocketKind;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;

/** A worker that is warm and knows of no slice yet. */
record StartedWorker(Process process, WorkerLink<ToWorker, ToDaemon> link, WorkerCommand command) {
    /** It steps back for everybody while nobody waits for it; who waits, waits for less. */
    private static final Duration START = Duration.ofMinutes(5);

    /** Who wants to know. */
    interface Begun {
        void hear(Process process) throws IOException;
    }

    /**
     * Waits until it is warm.
     *
     * @param socket made for this worker alone, and gone afterwards
     * @param begun hears of the process before it is warm
     */
    static StartedWorker start(WorkerCommand command, Path socket, Begun begun, Log log)
            throws IOException {
        Process process = null;
        try (Listener listener =
                Listener.open(
                        socket,
                        SocketKind.PACKETS,
                        1,
                        PosixFilePermissions.fromString("rw-------"))) {
            process = command.start(socket);
            begun.hear(process);
            WorkerLink<ToWorker, ToDaemon> link = WorkerLink.ofDaemon(accept(listener, process));
            Warm warm = link.expect(Warm.class, START);
            if (warm.digest() != WorkerProtocol.DIGEST) {
                throw new IOException(
                        "a worker is of another build than the daemon; start the daemon again");
            }
            command.confined(warm.lacks(), log);
            return new StartedWorker(process, link, command);
        } catch (IOException e) {
            if (process != null) {
                process.destroyForcibly();
            }
            throw e;
        }
    }

    private static Connection accept(Listener listener, Process process) throws IOException {
        long end = System.nanoTime() + START.toNanos();
        while (!listener.awaitConnection(Duration.ofMillis(200))) {
            if (!process.isAlive() || System.nanoTime() - end > 0) {
                throw new IOException("a worker does not start; its log says why");
            }
        }
        Connection connection =
                listener.accept().orElseThrow(() -> new IOException("the daemon is shutting down"));
        if (connection.peer().pid() != process.pid()) {
            connection.close();
            throw new IOException("another process posed as a worker");
        }
        connection.limitSends(START);
        return connection;
    }

    /** The number of the process that runs kernels: what confines it may be its parent. */
    int jvm() {
        return jvm(process);
    }

    static int jvm(Process process) {
        return (int) process.children().findFirst().orElse(process.toHandle()).pid();
    }

    /**
     * @param bytes of device memory that it may have
     */
    void limit(long bytes) throws IOException {
        command.limit(process, bytes);
    }

    /** It is of no use. */
    void discard() {
        link.close();
        process.destroyForcibly();
    }
}
