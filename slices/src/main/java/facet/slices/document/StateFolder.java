package facet.slices.document;

import facet.slices.Settings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where kept slices are when no daemon runs. The folder is made when the first slice is kept.
 *
 * <pre>
 *   lock          locked while a daemon uses the folder
 *   slices.yaml   the slices; replaced as a whole
 * </pre>
 */
public final class StateFolder implements AutoCloseable {
    private static final FileAttribute<Set<PosixFilePermission>> FOLDER =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
    private static final FileAttribute<Set<PosixFilePermission>> FILE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    /** Far more than anybody has slices. */
    private static final long LONGEST = 16 << 20;

    private final Path path;
    private @Nullable FileChannel channel;
    private @Nullable FileLock lock;

    private StateFolder(Path path) {
        this.path = path;
    }

    /** Takes it for this daemon; nothing is made yet. */
    public static StateFolder take(Path path) throws IOException {
        StateFolder folder = new StateFolder(path);
        if (Files.exists(path)) {
            folder.lock();
        }
        return folder;
    }

    private void lock() throws IOException {
        if (lock != null) {
            return;
        }
        FileChannel opened =
                FileChannel.open(
                        path.resolve("lock"),
                        Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
                        FILE);
        FileLock taken = opened.tryLock();
        if (taken == null) {
            opened.close();
            throw new IOException(
                    "another facetd keeps its slices in "
                            + path
                            + "; stop it with 'facet down', or choose another --state-dir");
        }
        channel = opened;
        lock = taken;
    }

    public Path file() {
        return path.resolve("slices.yaml");
    }

    /** What was kept; a file that cannot be understood is refused, with its place. */
    public SliceDocument load() throws IOException, DocumentException {
        if (!Files.exists(file())) {
            return new SliceDocument(java.util.List.of());
        }
        try {
            if (Files.size(file()) > LONGEST) {
                throw broken("has more than " + LONGEST + " bytes");
            }
            return SliceDocument.parse(Files.readString(file()));
        } catch (DocumentException e) {
            throw broken(e.getMessage());
        } catch (CharacterCodingException e) {
            throw broken("is not text");
        } catch (FileSystemException e) {
            throw new IOException(
                    file() + " cannot be read: " + Objects.requireNonNullElse(e.getReason(), e), e);
        } catch (IOException e) {
            throw new IOException(file() + " cannot be read: " + e.getMessage(), e);
        }
    }

    private DocumentException broken(@Nullable String why) {
        return new DocumentException(
                file()
                        + ", "
                        + why
                        + ". Mend the file, or move it away to start without its slices");
    }

    /** Replaces the file: who is killed in the middle leaves the old one or the new one. */
    public void save(Map<String, Settings> slices) throws IOException {
        if (!Files.exists(path)) {
            if (slices.isEmpty()) {
                return;
            }
            Path parent = path.toAbsolutePath().getParent();
            if (parent != null) {
                Files.createDirectories(parent);
            }
            Files.createDirectory(path, FOLDER);
        }
        lock();
        Path next = path.resolve("slices.yaml.new");
        Files.deleteIfExists(next);
        try (FileChannel out =
                FileChannel.open(
                        next,
                        Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                        FILE)) {
            ByteBuffer bytes =
                    ByteBuffer.wrap(SliceDocument.text(slices).getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                out.write(bytes);
            }
            out.force(true);
        }
        Files.move(
                next, file(), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        // The new name is on disk when the folder is.
        try (FileChannel folder = FileChannel.open(path, StandardOpenOption.READ)) {
            folder.force(true);
        }
    }

    @Override
    public void close() throws IOException {
        if (lock != null) {
            lock.release();
            lock = null;
        }
        if (channel != null) {
            channel.close();
            channel = null;
        }
    }
}
