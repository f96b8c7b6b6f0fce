package facet.doors.http;

import facet.os.ProcessUnsafe;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Set;

/** Files with a secret in them: they are read only when nobody else can read them. */
public final class SecretFile {
    private static final int LONGEST = 64 << 10;

    private static final Set<PosixFilePermission> OWNERS =
            EnumSet.of(
                    PosixFilePermission.OWNER_READ,
                    PosixFilePermission.OWNER_WRITE,
                    PosixFilePermission.OWNER_EXECUTE);

    private SecretFile() {}

    /**
     * @param option the one that names the file, for messages
     */
    public static String read(Path file, String option) throws IOException {
        try {
            if (!Files.isRegularFile(file)) {
                throw new IOException(
                        option
                                + ": "
                                + file
                                + (Files.exists(file) ? " is not a file" : " does not exist"));
            }
            check(file, option);
            if (Files.size(file) > LONGEST) {
                throw new IOException(option + ": " + file + " is too long to be one");
            }
            return Files.readString(file, StandardCharsets.US_ASCII);
        } catch (NoSuchFileException e) {
            throw new IOException(option + ": " + file + " does not exist", e);
        } catch (java.nio.charset.CharacterCodingException e) {
            throw new IOException(option + ": " + file + " is not plain text", e);
        } catch (java.nio.file.AccessDeniedException e) {
            throw new IOException(option + ": " + file + " cannot be read by this user", e);
        }
    }

    private static void check(Path file, String option) throws IOException {
        if (!OWNERS.containsAll(Files.getPosixFilePermissions(file))) {
            throw new IOException(
                    option + ": other users can read " + file + "; do 'chmod 600 " + file + "'");
        }
        Object owner = Files.getAttribute(file, "unix:uid");
        if (!owner.equals(0) && !owner.equals(ProcessUnsafe.user())) {
            throw new IOException(
                    option
                            + ": "
                            + file
                            + " belongs to user "
                            + owner
                            + "; it must belong to the user of the daemon or to root");
        }
    }
}
