package facet.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import facet.doors.control.Access;
import facet.log.Log;
import facet.slices.document.StateFolder;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The daemon over HTTP where other machines can reach it: with a token and TLS, or not at all. */
@Timeout(300)
class HttpTlsTest {
    private static final String WORD = "a-token-of-some-length";
    private static final char[] PASSWORD = "changeit".toCharArray();

    @TempDir private Path folder = Path.of("/nowhere");

    private final List<AutoCloseable> open = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open.reversed()) {
            each.close();
        }
    }

    private <T extends AutoCloseable> T closing(T one) {
        open.add(one);
        return one;
    }

    /** A certificate for localhost with its key. */
    private final class Identity {
        final KeyStore store;
        final Path certificate;
        final Path key;

        Identity(String name, String algorithm) throws Exception {
            Path file = folder.resolve(name + ".p12");
            Process keytool =
                    new ProcessBuilder(
                                    Path.of(System.getProperty("java.home"), "bin", "keytool")
                                            .toString(),
                                    "-genkeypair",
                                    "-alias",
                                    "facet",
                                    "-keyalg",
                                    algorithm,
                                    "-dname",
                                    "CN=localhost",
                                    "-ext",
                                    "san=dns:localhost,ip:127.0.0.1",
                                    "-validity",
                                    "2",
                                    "-storetype",
                                    "PKCS12",
                                    "-keystore",
                                    file.toString(),
                                    "-storepass",
                                    new String(PASSWORD))
                            .redirectErrorStream(true)
                            .start();
            String said =
                    new String(
                            keytool.getInputStream().readAllBytes(),
                            java.nio.charset.StandardCharsets.UTF_8);
            assertTrue(keytool.waitFor(60, TimeUnit.SECONDS));
            assertEquals(0, keytool.exitValue(), said);
            store = KeyStore.getInstance("PKCS12");
            try (InputStream in = Files.newInputStream(file)) {
                store.load(in, PASSWORD);
            }
            certificate =
                    pem(name + ".crt", "CERTIFICATE", store.getCertificate("facet").getEncoded());
            key = pem(name + ".key", "PRIVATE KEY", store.getKey("facet", PASSWORD).getEncoded());
        }

        SSLContext trusting() throws Exception {
            KeyStore trusted = KeyStore.getInstance("PKCS12");
            trusted.load(null, null);
            trusted.setCertificateEntry("facet", store.getCertificate("facet"));
            TrustManagerFactory trust =
                    TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(trusted);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        }
    }

    private Path secret(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.writeString(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        return file;
    }

    private Path pem(String name, String what, byte[] bytes) throws IOException {
        return secret(
                name,
                "-----BEGIN %s-----\n%s\n-----END %s-----\n"
                        .formatted(what, Base64.getMimeEncoder().encodeToString(bytes), what));
    }

    /** Where it listens, as seen from this machine. */
    private String start(Path certificate, Path key, Path token) throws Exception {
        Options options =
                Options.parse(
                        new String[] {
                            "--runtime-dir=" + folder.resolve("run"),
                            "--state-dir=" + folder.resolve("run/state"),
                            "--memory=256M",
                            "--http=0.0.0.0:0",
                            "--tls-certificate=" + certificate,
                            "--tls-key=" + key,
                            "--token-file=" + token
                        });
        Log log = new Log(System.out, Log.Level.DEBUG);
        RuntimeFolder runtime = closing(RuntimeFolder.take(options.runtime(), Access.OWNER));
        StateFolder state = closing(StateFolder.take(options.state()));
        Daemon daemon = closing(new Daemon(options, Facetd.MAINS, runtime, state, log));
        closing(new HttpDoors(options.http(), options.state(), daemon, log));
        String url = String.valueOf(daemon.status().get("http"));
        assertTrue(url.startsWith("https://0.0.0.0:"), url);
        return url.replace("0.0.0.0", "localhost");
    }

    private static int status(HttpClient client, String url, String authorization)
            throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + "/healthz"));
        if (!authorization.isEmpty()) {
            request.header("Authorization", authorization);
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString()).statusCode();
    }

    @ParameterizedTest
    @ValueSource(strings = {"EC", "RSA"})
    void everyRequestNeedsTheToken(String algorithm) throws Exception {
        Identity identity = new Identity("server", algorithm);
        String url = start(identity.certificate, identity.key, secret("token", WORD + "\n"));
        try (HttpClient client = HttpClient.newBuilder().sslContext(identity.trusting()).build()) {
            assertEquals(401, status(client, url, ""));
            assertEquals(401, status(client, url, "Bearer " + WORD + "x"));
            assertEquals(200, status(client, url, "Bearer " + WORD));
            assertEquals(200, status(client, url, "bearer  " + WORD));
        }
        try (HttpClient stranger = HttpClient.newHttpClient()) {
            assertThrows(SSLHandshakeException.class, () -> status(stranger, url, ""));
            assertThrows(
                    IOException.class,
                    () -> status(stranger, url.replace("https", "http"), "Bearer " + WORD));
        }
    }

    @Test
    void oldTlsIsRefused() throws Exception {
        Identity identity = new Identity("server", "EC");
        URI at = URI.create(start(identity.certificate, identity.key, secret("token", WORD)));
        for (String each : new String[] {"TLSv1.2", "TLSv1.3"}) {
            try (SSLSocket socket = connect(identity, at, each)) {
                socket.startHandshake();
                assertEquals(each, socket.getSession().getProtocol());
            }
        }
        // The JDK has switched this one off for clients too: either side may refuse it.
        try (SSLSocket socket = connect(identity, at, "TLSv1.1")) {
            assertThrows(SSLHandshakeException.class, socket::startHandshake);
        }
    }

    private static SSLSocket connect(Identity identity, URI at, String protocol) throws Exception {
        SSLSocket socket =
                (SSLSocket)
                        identity.trusting()
                                .getSocketFactory()
                                .createSocket(at.getHost(), at.getPort());
        socket.setSoTimeout(30_000);
        socket.setEnabledProtocols(new String[] {protocol});
        return socket;
    }

    private void assertRefused(Path certificate, Path key, Path token, String text) {
        String said =
                String.valueOf(
                        assertThrows(IOException.class, () -> start(certificate, key, token))
                                .getMessage());
        assertTrue(said.contains(text), said);
    }

    @Test
    void whatIsWrongWithTheFilesIsSaidBeforeAnythingListens() throws Exception {
        Identity one = new Identity("one", "EC");
        Identity two = new Identity("two", "EC");
        Identity other = new Identity("other", "RSA");
        Path token = secret("token", WORD);
        assertRefused(one.certificate, two.key, token, "is not the key of the certificate");
        close();
        open.clear();
        assertRefused(one.certificate, other.key, token, "is no key for the certificate");
        close();
        open.clear();
        assertRefused(one.key, one.key, token, "--tls-certificate: " + one.key);
        close();
        open.clear();
        assertRefused(one.certificate, one.certificate, token, "holds no key in PKCS#8");
        close();
        open.clear();
        Files.setPosixFilePermissions(one.key, PosixFilePermissions.fromString("rw-r--r--"));
        assertRefused(one.certificate, one.key, token, "do 'chmod 600 " + one.key + "'");
        close();
        open.clear();
        Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-r--r--"));
        assertRefused(two.certificate, two.key, token, "do 'chmod 600 " + token + "'");
    }
}
