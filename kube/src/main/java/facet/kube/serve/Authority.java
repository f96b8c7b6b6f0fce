package facet.kube.serve;

import facet.certificates.Certificates;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/** Who signs the certificates of one installation. It is a Secret of its namespace. */
public record Authority(X509Certificate certificate, PrivateKey key) {
    private static final String NAME = "facet-authority";
    private static final Duration LASTS = Duration.ofDays(3650);
    private static final Duration EARLY = Duration.ofHours(1);

    public static Authority make(Instant now) throws GeneralSecurityException {
        KeyPair keys = KeyPairGenerator.getInstance(Certificates.ALGORITHM).generateKeyPair();
        X509Certificate certificate =
                Certificates.make(
                        new Certificates.Content(
                                NAME,
                                NAME,
                                keys.getPublic(),
                                List.of(),
                                List.of(),
                                true,
                                Optional.of(
                                        new Certificates.Period(
                                                now.minus(EARLY), now.plus(LASTS)))),
                        content -> sign(keys.getPrivate(), content));
        return new Authority(certificate, keys.getPrivate());
    }

    private static byte[] sign(PrivateKey key, byte[] content) throws GeneralSecurityException {
        Signature signer = Signature.getInstance(Certificates.ALGORITHM);
        signer.initSign(key);
        signer.update(content);
        return signer.sign();
    }

    /** A key with its certificate. */
    public record Identity(PrivateKey key, X509Certificate certificate) {
        public String keyText() {
            return pem("PRIVATE KEY", key.getEncoded());
        }

        public String certificateText() throws GeneralSecurityException {
            return pem("CERTIFICATE", certificate.getEncoded());
        }
    }

    /**
     * @param hosts names of a server; none, for who only asks
     */
    public Identity identity(String name, List<String> hosts, Instant now, Duration lasts)
            throws GeneralSecurityException {
        KeyPair keys = KeyPairGenerator.getInstance(Certificates.ALGORITHM).generateKeyPair();
        X509Certificate made =
                Certificates.make(
                        new Certificates.Content(
                                NAME,
                                name,
                                keys.getPublic(),
                                hosts,
                                hosts.isEmpty() ? List.of() : List.of(new byte[] {127, 0, 0, 1}),
                                false,
                                Optional.of(
                                        new Certificates.Period(
                                                now.minus(EARLY), now.plus(lasts)))),
                        content -> sign(key, content));
        return new Identity(keys.getPrivate(), made);
    }

    public String certificateText() throws GeneralSecurityException {
        return pem("CERTIFICATE", certificate.getEncoded());
    }

    public String keyText() {
        return pem("PRIVATE KEY", key.getEncoded());
    }

    public static Authority parse(String certificate, String key) throws GeneralSecurityException {
        X509Certificate read =
                (X509Certificate)
                        CertificateFactory.getInstance("X.509")
                                .generateCertificate(
                                        new ByteArrayInputStream(
                                                certificate.getBytes(StandardCharsets.US_ASCII)));
        byte[] encoded =
                Base64.getMimeDecoder().decode(key.replaceAll("-----[A-Z ]+-----", "").strip());
        return new Authority(
                read,
                KeyFactory.getInstance(Certificates.ALGORITHM)
                        .generatePrivate(new PKCS8EncodedKeySpec(encoded)));
    }

    private static String pem(String what, byte[] content) {
        return "-----BEGIN %s-----\n%s\n-----END %s-----\n"
                .formatted(
                        what,
                        Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content),
                        what);
    }
}
