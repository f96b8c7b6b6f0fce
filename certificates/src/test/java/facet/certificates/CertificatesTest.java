package facet.certificates;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.cert.CertificateExpiredException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

final class CertificatesTest {
    @Test
    void theJdkReadsWhatIsMade() throws Exception {
        KeyPair keys = KeyPairGenerator.getInstance(Certificates.ALGORITHM).generateKeyPair();
        Instant now = Instant.parse("2051-02-03T04:05:06Z");
        X509Certificate made =
                Certificates.make(
                        new Certificates.Content(
                                "house",
                                "door",
                                keys.getPublic(),
                                List.of("door.house.svc"),
                                List.of(new byte[] {127, 0, 0, 1}),
                                true,
                                Optional.of(
                                        new Certificates.Period(
                                                now, now.plus(Duration.ofDays(1))))),
                        content -> {
                            Signature signer = Signature.getInstance(Certificates.ALGORITHM);
                            signer.initSign(keys.getPrivate());
                            signer.update(content);
                            return signer.sign();
                        });
        made.verify(keys.getPublic());
        assertEquals("CN=door", made.getSubjectX500Principal().getName());
        assertEquals("CN=house", made.getIssuerX500Principal().getName());
        assertEquals(
                List.of("door.house.svc", "127.0.0.1"),
                made.getSubjectAlternativeNames().stream()
                        .map(each -> each.get(1))
                        .collect(Collectors.toList()));
        assertTrue(made.getBasicConstraints() >= 0, "it may sign");
        made.checkValidity(Date.from(now.plusSeconds(1)));
        assertThrows(
                CertificateExpiredException.class,
                () -> made.checkValidity(Date.from(now.plus(Duration.ofDays(2)))));
    }
}
