package facet.node.slice;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The folder of a slice: what a container mounts. Its owner can look inside, and the group that can
 * look into the folder of all slices.
 */
public final class SliceFolder implements AutoCloseable {
    private final Path path;
    private final boolean direct;

    private SliceFolder(Path path, boolean direct) {
        this.path = path;
        this.direct = direct;
    }

    /** Makes the folder below {@code parent}. */
    public static SliceFolder create(Path parent, String name, boolean direct) throws IOException {
        Path path = parent.resolve(name);
        try {
            Files.createDirectory(
                    path,
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rwx------")));
            PosixFileAttributes above = Files.readAttributes(parent, PosixFileAttributes.class);
            if (above.permissions().contains(PosixFilePermission.GROUP_EXECUTE)) {
                Files.getFileAttributeView(path, PosixFileAttributeView.class)
                        .setGroup(above.group());
                Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-x---"));
            }
        } catch (FileAlreadyExistsException e) {
            throw new IOException("there is a slice '" + name + "' already", e);
        }
        return new SliceFolder(path, direct);
    }

    /** That of a slice that containers have mounted: the one that is there. */
    public static SliceFolder take(Path parent, String name, boolean direct) throws IOException {
        Path path = parent.resolve(name);
        if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
            return new SliceFolder(path, direct);
        }
        SliceFolder folder = create(parent, name, direct);
        letContainersIn(path);
        return folder;
    }

    /**
     * Lets every user in who sees the folder: through a container's mount, since on the host the
     * folder above stays closed.
     */
    public static void letContainersIn(Path folder) throws IOException {
        Set<PosixFilePermission> permissions =
                EnumSet.copyOf(Files.getPosixFilePermissions(folder));
        permissions.add(PosixFilePermission.GROUP_EXECUTE);
        permissions.add(PosixFilePermission.OTHERS_EXECUTE);
        Files.setPosixFilePermissions(folder, permissions);
    }

    /** Whether programs of containers get in; yes where that cannot be told. */
    public boolean letsContainersIn() {
        try {
            return Files.getPosixFilePermissions(path).contains(PosixFilePermission.OTHERS_EXECUTE);
        } catch (IOException e) {
            return true;
        }
    }

    /**
     * Whether a program may have the vendor's driver in it.
     *
     * @param said whether the slice says so itself; else it follows from its devices
     */
    public boolean letsDirectIn(boolean said) {
        return !letsContainersIn() || (said && direct);
    }

    public Path path() {
        return path;
    }

    public Path socket() {
        return path.resolve("socket");
    }

    @Override
    public void close() throws IOException {
        delete(path);
    }

    /** Removes a folder of ours with what it holds. Links are removed, not followed. */
    public static void delete(Path folder) throws IOException {
        List<Path> files;
        try (Stream<Path> list = Files.list(folder)) {
            files = list.toList();
        } catch (NoSuchFileException e) {
            return;
        }
        for (Path each : files) {
            if (Files.isDirectory(each, LinkOption.NOFOLLOW_LINKS)) {
                delete(each);
            } else {
                Files.deleteIfExists(each);
            }
        }
        Files.deleteIfExists(folder);
    }
}
