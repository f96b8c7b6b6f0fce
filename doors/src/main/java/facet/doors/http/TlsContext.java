package facet.doors.http;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** What a TLS server needs, from files in PEM. */
final class TlsContext {
    static final List<String> PROTOCOLS = List.of("TLSv1.3", "TLSv1.2");

    private static final Pattern PEM =
            Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([^-]+)-----END \\1-----");

    private TlsContext() {}

    static SSLContext of(HttpOptions.TlsFiles files) throws IOException {
        Certificate[] chain = chain(files.certificate());
        PrivateKey key = key(files.key(), chain[0].getPublicKey().getAlgorithm());
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            // The store is never written; it asks for a password all the same.
            char[] password = {};
            store.setKeyEntry("facet", key, password, chain);
            KeyManagerFactory keys =
                    KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(store, password);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys.getKeyManagers(), null, null);
            Signatures.check(key, chain[0].getPublicKey(), files);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException(
                    "--tls-certificate and --tls-key cannot be used: " + e.getMessage(), e);
        }
    }

    private static Certificate[] chain(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            Collection<? extends Certificate> all =
                    CertificateFactory.getInstance("X.509").generateCertificates(in);
            if (all.isEmpty()) {
                throw new IOException("--tls-certificate: " + file + " holds no certificate");
            }
            Certificate[] chain = all.toArray(Certificate[]::new);
            ((X509Certificate) chain[0]).checkValidity();
            return chain;
        } catch (java.nio.file.NoSuchFileException e) {
            throw new IOException("--tls-certificate: " + file + " does not exist", e);
        } catch (java.security.cert.CertificateExpiredException e) {
            throw new IOException("--tls-certificate: " + file + " has expired", e);
        } catch (GeneralSecurityException e) {
            throw new IOException(
                    "--tls-certificate: " + file + " is no certificate in PEM: " + e.getMessage(),
                    e);
        }
    }

    private static PrivateKey key(Path file, String algorithm) throws IOException {
        Matcher pem = PEM.matcher(SecretFile.read(file, "--tls-key"));
        while (pem.find()) {
            if (pem.group(1).equals("PRIVATE KEY")) {
                try {
                    return KeyFactory.getInstance(algorithm)
                            .generatePrivate(
                                    new PKCS8EncodedKeySpec(
                                            Base64.getMimeDecoder().decode(pem.group(2))));
                } catch (InvalidKeySpecException e) {
                    // Its message could quote the key.
                    throw new IOException(
                            "--tls-key: "
                                    + file
                                    + " is no key for the certificate, which has one of "
                                    + algorithm);
                } catch (GeneralSecurityException e) {
                    throw new IOException("--tls-key: " + algorithm + " is not supported", e);
                }
            }
        }
        throw new IOException(
                "--tls-key: "
                        + file
                        + " holds no key in PKCS#8; 'openssl pkcs8 -topk8 -nodes -in KEY -out FILE'"
                        + " makes one");
    }
}
