package facet.cli;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;
import jdk.net.ExtendedSocketOptions;

/**
 * Whether what looks like our daemon is one: in /tmp anybody can make a folder of its name before
 * we do. native/control/trust.c has the same rules.
 *
 * @param user our own, as the system numbers users
 */
record Trust(int user) {
    private static final int ROOT = 0;

    static Trust ofThisUser() {
        return new Trust((int) new com.sun.security.auth.module.UnixSystem().getUid());
    }

    /** Refuses a runtime directory that somebody else may have made. */
    void check(Path directory) throws IOException {
        Path path = directory.toAbsolutePath();
        PosixFileAttributes found;
        try {
            found =
                    Files.readAttributes(
                            path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        } catch (NoSuchFileException e) {
            // Then nobody answers there.
            return;
        }
        Path parent = path.getParent();
        if (parent != null
                && isWritable(parent)
                && (found.isSymbolicLink()
                        || !isOurs(
                                Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS)))) {
            throw distrust(
                    directory,
                    "another user may have made it; set FACET_RUNTIME_DIR to a folder of your own");
        }
        if (isWritable(path)) {
            throw distrust(
                    directory,
                    "others can write to it; 'chmod go-w' it, or set FACET_RUNTIME_DIR to another"
                            + " folder");
        }
    }

    /** Refuses who listens there when it is neither ours, nor the folder's owner, nor root. */
    void check(Path directory, SocketChannel channel) throws IOException {
        String peer = channel.getOption(ExtendedSocketOptions.SO_PEERCRED).user().getName();
        if (!peer.equals("root")
                && !peer.equals(Files.getOwner(directory).getName())
                && !peer.equals(System.getProperty("user.name"))
                && !peer.equals(Integer.toUnsignedString(user))) {
            throw distrust(
                    directory,
                    "a process of user "
                            + peer
                            + " listens there; set FACET_RUNTIME_DIR to a folder of your own");
        }
    }

    private boolean isOurs(Object owner) {
        return owner.equals(user) || owner.equals(ROOT);
    }

    private static boolean isWritable(Path folder) throws IOException {
        Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(folder);
        return permissions.contains(PosixFilePermission.GROUP_WRITE)
                || permissions.contains(PosixFilePermission.OTHERS_WRITE);
    }

    private static CommandFailure distrust(Path directory, String why) {
        return new CommandFailure("the daemon in " + directory + " cannot be trusted: " + why);
    }
}
