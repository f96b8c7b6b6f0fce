package facet.kube.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Who may come in, and the files that say so. The certificate is made by the API server when it
 * starts first; all servers of the control plane show it.
 */
final class Credentials {
    static final String ADMIN = "admin";

    private final Path folder;
    private final Map<String, String> tokens = new LinkedHashMap<>();

    private Credentials(Path folder) {
        this.folder = folder;
    }

    /**
     * @param users their names, and their groups with commas between them
     */
    static Credentials make(Path folder, Map<String, String> users) throws IOException {
        Credentials all = new Credentials(folder);
        StringBuilder lines = new StringBuilder();
        Map<String, String> everybody = new LinkedHashMap<>(users);
        everybody.put(ADMIN, "system:masters");
        byte[] random = new byte[16];
        SecureRandom source = new SecureRandom();
        everybody.forEach((name, groups) -> {
            source.nextBytes(random);
            String token = HexFormat.of().formatHex(random);
            all.tokens.put(name, token);
            lines.append("%s,%s,%s,\"%s\"%n".formatted(token, name, name, groups));
        });
        Files.writeString(all.tokenFile(), lines);
        all.makeServiceAccountKey();
        return all;
    }

    private void makeServiceAccountKey() throws IOException {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(2048);
            String encoded =
                    Base64.getMimeEncoder()
                            .encodeToString(generator.generateKeyPair().getPrivate().getEncoded());
            Files.writeString(
                    serviceAccountKey(),
                    "-----BEGIN PRIVATE KEY-----\n" + encoded + "\n-----END PRIVATE KEY-----\n");
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    Path tokenFile() {
        return folder.resolve("tokens.csv");
    }

    Path serviceAccountKey() {
        return folder.resolve("service-account.key");
    }

    Path certificate() {
        return folder.resolve("certificates/apiserver.crt");
    }

    Path certificateKey() {
        return folder.resolve("certificates/apiserver.key");
    }

    String token(String user) {
        String token = tokens.get(user);
        if (token == null) {
            throw new IllegalArgumentException("nobody is called " + user);
        }
        return token;
    }

    /** A kubeconfig of a user. */
    Path kubeconfig(String user, String server) throws IOException {
        return kubeconfig(user, server, token(user));
    }

    Path kubeconfig(String user, String server, String token) throws IOException {
        Path file = folder.resolve("kubeconfig-" + user.replaceAll("[^a-zA-Z0-9-]", "-"));
        Files.writeString(
                file,
                """
                apiVersion: v1
                kind: Config
                clusters:
                - name: test
                  cluster: {server: "%s", certificate-authority: "%s"}
                users:
                - name: user
                  user: {token: "%s"}
                contexts:
                - name: test
                  context: {cluster: test, user: user}
                current-context: test
                """
                        .formatted(server, certificate(), token));
        return file;
    }
}
