package facet.kube.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** Asks servers of the control plane whether they are ready. */
final class Probe {
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final Credentials credentials;
    private @Nullable HttpClient client;

    Probe(Credentials credentials) {
        this.credentials = credentials;
    }

    /** False until the certificate is there. */
    synchronized boolean isReady(String address) throws IOException, InterruptedException {
        if (client == null) {
            if (address.startsWith("https:") && !Files.exists(credentials.certificate())) {
                return false;
            }
            HttpClient.Builder builder = HttpClient.newBuilder().connectTimeout(PATIENCE);
            if (Files.exists(credentials.certificate())) {
                builder.sslContext(trusting(credentials.certificate()));
                client = builder.build();
            } else {
                // etcd comes before there is a certificate.
                try (HttpClient plain = builder.build()) {
                    return asks(plain, address);
                }
            }
        }
        return asks(client, address);
    }

    private boolean asks(HttpClient by, String address) throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(address))
                        .timeout(PATIENCE)
                        .header("Authorization", "Bearer " + credentials.token(Credentials.ADMIN))
                        .build();
        return by.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
    }

    private static SSLContext trusting(Path certificates) throws IOException {
        try (InputStream file = Files.newInputStream(certificates)) {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            int number = 0;
            for (Certificate each :
                    CertificateFactory.getInstance("X.509").generateCertificates(file)) {
                store.setCertificateEntry("certificate-" + number++, each);
            }
            TrustManagerFactory trust =
                    TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException(e);
        }
    }
}
