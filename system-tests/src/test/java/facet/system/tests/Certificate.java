package facet.system.tests;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/** A certificate for localhost that nobody vouches for, and its key, as files. */
record Certificate(Path certificate, Path key) {
    private static final String PASSWORD = "changeit";
    private static final String NAME = "facet";

    static Certificate make(Path folder) throws IOException, GeneralSecurityException {
        Path store = folder.resolve("identity.p12");
        List<String> command =
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                        "-genkeypair",
                        "-alias",
                        NAME,
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=localhost",
                        "-validity",
                        "2",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        PASSWORD);
        Outcome outcome = Runner.run(command, folder, Map.of());
        if (!outcome.ok()) {
            throw new IOException(outcome.report());
        }
        KeyStore made = KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
        byte[] key = made.getKey(NAME, PASSWORD.toCharArray()).getEncoded();
        return new Certificate(
                pem(folder, "CERTIFICATE", made.getCertificate(NAME).getEncoded()),
                pem(folder, "PRIVATE KEY", key));
    }

    private static Path pem(Path folder, String what, byte[] bytes) throws IOException {
        Path file = folder.resolve(what.toLowerCase(java.util.Locale.ROOT).replace(' ', '-'));
        Files.writeString(
                file,
                "-----BEGIN %s-----\n%s\n-----END %s-----\n"
                        .formatted(what, Base64.getMimeEncoder().encodeToString(bytes), what));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        return file;
    }
}
