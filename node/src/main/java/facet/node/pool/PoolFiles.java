package facet.node.pool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import facet.doors.control.Json;
import facet.doors.http.SecretFile;
import facet.pool.identity.PoolToken;
import facet.pool.identity.TokenException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What a node keeps of its pool in its state folder, for nobody else's eyes.
 *
 * <pre>
 *   pool-token   the pool's secret
 *   pool.json    this node's name, where it listens, whom it asks
 * </pre>
 */
public final class PoolFiles {
    private static final FileAttribute<Set<PosixFilePermission>> FOLDER =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
    private static final FileAttribute<Set<PosixFilePermission>> FILE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private final Path folder;

    public PoolFiles(Path folder) {
        this.folder = folder;
    }

    Path token() {
        return folder.resolve("pool-token");
    }

    private Path choice() {
        return folder.resolve("pool.json");
    }

    boolean isThere() {
        return Files.exists(token()) && Files.exists(choice());
    }

    PoolToken loadToken() throws IOException {
        return readToken(token());
    }

    /** A token in a file that somebody names. */
    public static PoolToken readToken(Path file) throws IOException {
        try {
            return PoolToken.parse(SecretFile.read(file, "the pool's token"));
        } catch (TokenException e) {
            throw new IOException(file + ": " + e.getMessage(), e);
        }
    }

    PoolChoice loadChoice() throws IOException {
        try {
            JsonNode kept = new ObjectMapper().readTree(Files.readString(choice()));
            List<PoolAddress> seeds = new ArrayList<>();
            for (JsonNode each : kept.path("seeds")) {
                seeds.add(PoolAddress.parse(each.asText()));
            }
            String listen = kept.path("listen").asText();
            return new PoolChoice(
                    kept.path("node").asText(),
                    listen.isEmpty() ? Optional.empty() : Optional.of(PoolAddress.parse(listen)),
                    seeds,
                    kept.path("draining").asBoolean());
        } catch (IOException | IllegalArgumentException e) {
            throw new IOException(
                    choice()
                            + " cannot be understood: "
                            + e.getMessage()
                            + ". Mend it, or remove it to start outside of the pool",
                    e);
        }
    }

    void save(PoolToken token, PoolChoice choice) throws IOException {
        if (!Files.exists(folder)) {
            Path parent = folder.toAbsolutePath().getParent();
            if (parent != null) {
                Files.createDirectories(parent);
            }
            Files.createDirectory(folder, FOLDER);
        }
        write(token(), token.text() + "\n");
        saveChoice(choice);
    }

    void saveChoice(PoolChoice choice) throws IOException {
        Map<String, Object> kept = new LinkedHashMap<>();
        kept.put("node", choice.node());
        kept.put("listen", choice.listen().map(PoolAddress::toString).orElse(""));
        kept.put("seeds", choice.seeds().stream().map(PoolAddress::toString).toList());
        kept.put("draining", choice.draining());
        write(choice(), Json.line(kept) + "\n");
    }

    /** Who is killed in the middle leaves the old one or the new one. */
    private static void write(Path file, String text) throws IOException {
        Path next = file.resolveSibling(file.getFileName() + ".new");
        Files.deleteIfExists(next);
        try (FileChannel out =
                FileChannel.open(
                        next,
                        Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                        FILE)) {
            ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                out.write(bytes);
            }
            out.force(true);
        }
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    void delete() throws IOException {
        Files.deleteIfExists(choice());
        Files.deleteIfExists(token());
    }
}
