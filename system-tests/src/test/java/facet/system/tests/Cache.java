package facet.system.tests;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/** Files that were built from the same contents by the same command are not built again. */
final class Cache {
    private Cache() {}

    /**
     * The file that a command makes. The name of the file has the key of what it was made of, so a
     * new source makes a new file; old ones are left for `mvn clean`.
     *
     * @param inputs files whose contents decide, besides the command
     * @param command without the output, which is appended as {@code -o file}
     */
    static Path file(String name, List<Path> inputs, List<String> command) {
        try {
            Files.createDirectories(Places.BUILT);
            Path file = Places.BUILT.resolve(name + "-" + key(inputs, command));
            if (!Files.exists(file)) {
                make(file, command);
            }
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void make(Path file, List<String> command) throws IOException {
        Path unfinished =
                file.resolveSibling(file.getFileName() + "." + Thread.currentThread().threadId());
        List<String> whole = new java.util.ArrayList<>(command);
        whole.add("-o");
        whole.add(unfinished.toString());
        Outcome outcome = Runner.build(whole, Places.BUILT);
        if (!outcome.ok()) {
            Files.deleteIfExists(unfinished);
            throw new BuildFailure(outcome.report());
        }
        Files.move(unfinished, file, java.nio.file.StandardCopyOption.ATOMIC_MOVE);
    }

    private static String key(List<Path> inputs, List<String> command) throws IOException {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (Path input : inputs) {
                digest.update(Files.readAllBytes(input));
                digest.update((byte) 0);
            }
            digest.update(String.join("\0", command).getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest.digest(), 0, 8);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A program that does not compile; the message is what the compiler said. */
    static final class BuildFailure extends RuntimeException {
        private static final long serialVersionUID = 1L;

        BuildFailure(String message) {
            super(message);
        }
    }
}
