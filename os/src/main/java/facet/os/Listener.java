package facet.os;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** A Unix socket that others connect to. Any thread may accept or close. */
public final class Listener implements AutoCloseable {
    private final DescriptorOwner owner;
    private final SocketKind kind;
    private final Path path;

    private Listener(int descriptor, SocketKind kind, Path path) {
        owner = new DescriptorOwner(descriptor);
        this.kind = kind;
        this.path = path;
    }

    /**
     * Makes the socket's file. One that a process left behind when it died is replaced.
     *
     * @param permissions of the file: who may write may connect
     */
    public static Listener open(
            Path path, SocketKind kind, int backlog, Set<PosixFilePermission> permissions)
            throws IOException {
        byte[] name = SocketPath.bytes(path);
        int descriptor = SocketUnsafe.open(kind);
        if (descriptor < 0) {
            throw new SystemCallException("cannot open a socket", -descriptor);
        }
        Listener listener = new Listener(descriptor, kind, path);
        boolean bound = false;
        try {
            int result = SocketUnsafe.bind(descriptor, name);
            if (result == -ErrnoUnsafe.EADDRINUSE) {
                removeWhatIsLeft(path, kind);
                result = SocketUnsafe.bind(descriptor, name);
            }
            if (result < 0) {
                throw new SystemCallException("cannot listen at " + path, -result);
            }
            bound = true;
            // Before listen: nobody connects while the permissions are not yet right.
            Files.setPosixFilePermissions(path, permissions);
            result = SocketUnsafe.listen(descriptor, backlog);
            if (result < 0) {
                throw new SystemCallException("cannot listen at " + path, -result);
            }
            return listener;
        } catch (IOException | RuntimeException e) {
            listener.owner.close();
            if (bound) {
                Files.deleteIfExists(path);
            }
            throw e;
        }
    }

    private static void removeWhatIsLeft(Path path, SocketKind kind) throws IOException {
        try (Connection other = Connection.connect(path, kind)) {
            throw new IOException(
                    "another process listens at "
                            + path
                            + " (pid "
                            + other.peer().pid()
                            + "); stop it, or choose another path");
        } catch (SystemCallException e) {
            // Only a socket that nobody listens at answers so; a file of another kind does too.
            if (e.errno() != ErrnoUnsafe.ECONNREFUSED
                    || Files.isRegularFile(path)
                    || Files.isDirectory(path)) {
                throw new IOException(
                        path + " is there already and is not a socket left behind; remove it", e);
            }
            Files.deleteIfExists(path);
        }
    }

    public Path path() {
        return path;
    }

    /**
     * Waits for the next connection.
     *
     * @return empty when this listener was closed
     */
    public Optional<Connection> accept() throws IOException {
        int descriptor;
        try {
            descriptor = owner.acquire();
        } catch (ClosedChannelException e) {
            return Optional.empty();
        }
        try {
            while (true) {
                int result = SocketUnsafe.accept(descriptor);
                if (result >= 0) {
                    return Optional.of(new Connection(result, kind));
                }
                if (owner.isClosed()) {
                    return Optional.empty();
                }
                if (result != -ErrnoUnsafe.EINTR && result != -ErrnoUnsafe.ECONNABORTED) {
                    throw new SystemCallException("cannot accept at " + path, -result);
                }
            }
        } finally {
            owner.release();
        }
    }

    /**
     * Waits until somebody connects.
     *
     * @return false when the time was over
     */
    public boolean awaitConnection(Duration timeout) throws IOException {
        int descriptor = owner.acquire();
        try {
            return Readiness.await(descriptor, timeout);
        } finally {
            owner.release();
        }
    }

    /** Removes the file and wakes who waits in {@link #accept}. */
    @Override
    public void close() throws IOException {
        int descriptor;
        try {
            descriptor = owner.acquire();
        } catch (ClosedChannelException closedAlready) {
            return;
        }
        try {
            boolean first = owner.close();
            // After the flag, so that the thread that wakes up sees why.
            SocketUnsafe.shutdown(descriptor);
            if (first) {
                Files.deleteIfExists(path);
            }
        } finally {
            owner.release();
        }
    }
}
