package facet.doors.control;

import facet.os.ProcessUnsafe;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipalNotFoundException;
import java.util.Optional;
import java.util.Set;
import jdk.net.UnixDomainPrincipal;

/**
 * Who may use the control socket: the daemon's own user and root, and a group where one is named.
 * The permissions of the socket and of its folder say so to the kernel.
 *
 * @param group its members are let in too
 */
public record Access(Optional<GroupPrincipal> group) {
    /** The daemon's user alone. */
    public static final Access OWNER = new Access(Optional.empty());

    /**
     * @param group its name or number
     */
    public static Access of(Optional<String> group) throws IOException {
        if (group.isEmpty()) {
            return OWNER;
        }
        try {
            return new Access(
                    Optional.of(
                            Path.of("/")
                                    .getFileSystem()
                                    .getUserPrincipalLookupService()
                                    .lookupPrincipalByGroupName(group.get())));
        } catch (UserPrincipalNotFoundException e) {
            throw new IOException(
                    "--admin-group: there is no group '" + group.get() + "'; groupadd makes one",
                    e);
        }
    }

    public Set<PosixFilePermission> ofFolder() {
        return PosixFilePermissions.fromString(group.isPresent() ? "rwxr-x---" : "rwx------");
    }

    public Set<PosixFilePermission> ofSocket() {
        return PosixFilePermissions.fromString(group.isPresent() ? "rw-rw----" : "rw-------");
    }

    public void giveFolder(Path folder) throws IOException {
        give(folder, ofFolder());
    }

    public void giveSocket(Path socket) throws IOException {
        give(socket, ofSocket());
    }

    /** The group first: with the permissions it must be the right one. */
    private void give(Path file, Set<PosixFilePermission> permissions) throws IOException {
        if (group.isPresent()) {
            try {
                Files.getFileAttributeView(
                                file, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                        .setGroup(group.get());
            } catch (FileSystemException e) {
                throw new IOException(
                        "--admin-group: "
                                + file
                                + " cannot be given to the group "
                                + group.get().getName()
                                + "; run the daemon as root or as a member of it",
                        e);
            }
        }
        Files.setPosixFilePermissions(file, permissions);
    }

    /**
     * A second look, at who is really there: a socket can be opened to others by mistake. Which
     * groups a user is in only the kernel knows, so where there is a group its word stands.
     */
    boolean admits(UnixDomainPrincipal peer, Path socket) throws IOException {
        return group.isPresent()
                || peer.user().equals(Files.getOwner(socket, LinkOption.NOFOLLOW_LINKS))
                || peer.user().getName().equals("root")
                || peer.user().getName().equals(Integer.toUnsignedString(ProcessUnsafe.user()));
    }
}
