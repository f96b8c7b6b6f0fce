package facet.doors.http;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The word that opens. Only its digest is kept, so that it can be in no log and no dump. */
final class Token {
    private static final int RANDOM_BYTES = 32;

    /** Characters of RFC 6750 for a bearer token. Shorter ones could be guessed. */
    private static final Pattern FORM = Pattern.compile("[A-Za-z0-9._~+/-]{16,512}=*");

    private final byte[] digest;

    private Token(String text) {
        this.digest = digest(text);
    }

    static Token read(Path file, String option) throws IOException {
        String text = SecretFile.read(file, option).strip();
        if (!FORM.matcher(text).matches()) {
            // What is wrong with it would tell about it.
            throw new IOException(
                    option
                            + ": "
                            + file
                            + " holds no token: one line of 16 or more letters, digits or ._~+/-;"
                            + " 'openssl rand -hex 32' makes one");
        }
        return new Token(text);
    }

    /** Reads it, or makes the file with a random one. */
    static Token readOrMake(Path file) throws IOException {
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            makeFolder(file.toAbsolutePath().getParent());
            byte[] random = new byte[RANDOM_BYTES];
            new SecureRandom().nextBytes(random);
            String text = Base64.getUrlEncoder().withoutPadding().encodeToString(random);
            Path unready = file.resolveSibling(file.getFileName() + ".new");
            Files.deleteIfExists(unready);
            try (var channel =
                    Files.newByteChannel(
                            unready,
                            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                            PosixFilePermissions.asFileAttribute(
                                    PosixFilePermissions.fromString("rw-------")))) {
                channel.write(
                        java.nio.ByteBuffer.wrap(
                                (text + "\n").getBytes(StandardCharsets.US_ASCII)));
            }
            try {
                Files.move(unready, file);
            } catch (FileAlreadyExistsException e) {
                throw new IOException("somebody else made " + file + " at the same time", e);
            }
        }
        return read(file, "the daemon's token");
    }

    /** For its owner alone; those above it as they are made everywhere. */
    private static void makeFolder(@Nullable Path folder) throws IOException {
        if (folder == null || Files.isDirectory(folder)) {
            return;
        }
        Path parent = folder.getParent();
        if (parent != null) {
            Files.createDirectories(parent);
        }
        Files.createDirectory(
                folder,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }

    /** Takes the same time for every wrong one. */
    boolean matches(String candidate) {
        return MessageDigest.isEqual(digest, digest(candidate));
    }

    private static byte[] digest(String text) {
        try {
            return MessageDigest.getInstance("SHA-256")
                    .digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
