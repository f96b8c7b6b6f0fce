package facet.kube.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;

/** An image of a folder, in the form that docker saves and containerd imports. */
public final class TestImage {
    private TestImage() {}

    /**
     * @param root has bin/sleep, which a pod's sandbox runs
     * @param folder for what is made
     * @return the file
     */
    public static Path make(Path root, Path folder) throws IOException, InterruptedException {
        Path parts = Files.createDirectories(folder.resolve("image"));
        tar(parts.resolve("layer.tar"), root, List.of("."));
        String layer = digest(Files.readAllBytes(parts.resolve("layer.tar")));
        String config =
                """
                {"architecture":"amd64","os":"linux",
                 "config":{"Env":["PATH=/bin"],"Entrypoint":["/bin/sleep"],"Cmd":["1000000"]},
                 "rootfs":{"type":"layers","diff_ids":["sha256:%s"]},"history":[]}
                """
                        .formatted(layer);
        Files.writeString(parts.resolve("config.json"), config);
        Files.writeString(
                parts.resolve("manifest.json"),
                "[{\"Config\":\"config.json\",\"RepoTags\":[\"%s\"],\"Layers\":[\"layer.tar\"]}]"
                        .formatted(NodeMachine.image()));
        Path image = folder.resolve("image.tar");
        tar(image, parts, List.of("config.json", "manifest.json", "layer.tar"));
        return image;
    }

    private static void tar(Path file, Path folder, List<String> names)
            throws IOException, InterruptedException {
        List<String> command =
                new java.util.ArrayList<>(
                        List.of("tar", "-C", folder.toString(), "-cf", file.toString()));
        command.addAll(names);
        if (new ProcessBuilder(command).inheritIO().start().waitFor() != 0) {
            throw new IOException("tar cannot make " + file);
        }
    }

    private static String digest(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
