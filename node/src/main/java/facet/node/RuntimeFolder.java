package facet.node;

import facet.doors.control.Access;
import facet.node.container.ContainerFiles;
import facet.node.slice.SliceFolder;
import facet.os.ProcessUnsafe;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The folder where the daemon has its sockets. The lock file says whose it is; what a daemon that
 * was killed has left in it is removed.
 *
 * <pre>
 *   lock                  locked while a daemon lives
 *   control               socket for facet and facet-run; there when the daemon is ready
 *   socket                the default slice
 *   slices/NAME/socket    one folder for each slice
 *   workers/              sockets of workers that start, and what workers see of the machine
 *   containers/ID.json    one file for each container that has a slice; both stay while it lives
 * </pre>
 */
final class RuntimeFolder implements AutoCloseable {
    private static final String CONTAINERS = "containers";

    private final Path path;
    private final FileChannel channel;
    private final FileLock lock;

    private RuntimeFolder(Path path, FileChannel channel, FileLock lock) {
        this.path = path;
        this.channel = channel;
        this.lock = lock;
    }

    /** Where it is when nobody says; facet-run looks in the same order. */
    static Path usual() {
        String given = System.getenv("FACET_RUNTIME_DIR");
        if (given != null && !given.isEmpty()) {
            return Path.of(given).toAbsolutePath();
        }
        int user = ProcessUnsafe.user();
        if (user == 0) {
            return Path.of("/run/facet");
        }
        String session = System.getenv("XDG_RUNTIME_DIR");
        if (session != null && !session.isEmpty()) {
            return Path.of(session, "facet");
        }
        return Path.of("/tmp/facet-" + Integer.toUnsignedString(user));
    }

    static RuntimeFolder take(Path path, Access access) throws IOException {
        Set<PosixFilePermission> owner = PosixFilePermissions.fromString("rwx------");
        Path parent = path.toAbsolutePath().getParent();
        if (parent != null) {
            Files.createDirectories(parent);
        }
        if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            Files.createDirectory(path, PosixFilePermissions.asFileAttribute(owner));
        }
        checkOwner(path);
        if (!Files.getPosixFilePermissions(path).equals(access.ofFolder())) {
            checkOurs(path);
        }
        FileChannel channel =
                FileChannel.open(
                        path.resolve("lock"),
                        Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
                        PosixFilePermissions.asFileAttribute(
                                PosixFilePermissions.fromString("rw-------")));
        FileLock lock = channel.tryLock();
        if (lock == null) {
            channel.close();
            throw new IOException(
                    "another facetd runs in "
                            + path
                            + "; stop it with 'facet down', or choose another --runtime-dir");
        }
        RuntimeFolder folder = new RuntimeFolder(path, channel, lock);
        folder.clean();
        access.giveFolder(path);
        if (!Files.exists(folder.slices())) {
            Files.createDirectory(folder.slices(), PosixFilePermissions.asFileAttribute(owner));
        }
        access.giveFolder(folder.slices());
        Files.createDirectory(folder.workers(), PosixFilePermissions.asFileAttribute(owner));
        return folder;
    }

    /** In /tmp anybody could have made it before us. */
    private static void checkOwner(Path path) throws IOException {
        if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException(path + " is not a folder; remove it or choose another one");
        }
        Object user = Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS);
        if (!Integer.valueOf(ProcessUnsafe.user()).equals(user)) {
            throw new IOException(
                    path + " belongs to user " + user + "; choose another --runtime-dir");
        }
    }

    /** Permissions are changed of our own folders alone: somebody could have said /tmp. */
    private static void checkOurs(Path path) throws IOException {
        if (Files.exists(path.resolve("lock"), LinkOption.NOFOLLOW_LINKS) && !isSticky(path)) {
            return;
        }
        try (Stream<Path> files = Files.list(path)) {
            if (files.findAny().isPresent()) {
                throw new IOException(
                        path + " is used for something else; choose another --runtime-dir");
            }
        }
    }

    private static boolean isSticky(Path path) throws IOException {
        return ((int) Files.getAttribute(path, "unix:mode") & 01000) != 0;
    }

    private void clean() throws IOException {
        Files.deleteIfExists(control());
        Files.deleteIfExists(path.resolve("control.new"));
        Files.deleteIfExists(socket());
        SliceFolder.delete(workers());
        Set<String> mounted = containers().slices();
        if (mounted.isEmpty()) {
            SliceFolder.delete(slices());
            SliceFolder.delete(path.resolve(CONTAINERS));
            return;
        }
        try (Stream<Path> all = Files.list(slices())) {
            for (Path each : all.toList()) {
                if (!mounted.contains(each.getFileName().toString())) {
                    SliceFolder.delete(each);
                }
            }
        } catch (NoSuchFileException e) {
            // Then there is nothing to remove.
            return;
        }
    }

    /** Of those that have slices; there is no daemon that they wait for. */
    ContainerFiles containers() {
        return new ContainerFiles(path.resolve(CONTAINERS));
    }

    Path path() {
        return path;
    }

    Path control() {
        return path.resolve("control");
    }

    Path socket() {
        return path.resolve("socket");
    }

    Path slices() {
        return path.resolve("slices");
    }

    /** Nobody but the daemon's user gets in. */
    Path workers() {
        return path.resolve("workers");
    }

    /** The lock's file stays: removing it would let two daemons lock two files of one name. */
    @Override
    public void close() throws IOException {
        clean();
        lock.release();
        channel.close();
    }
}
