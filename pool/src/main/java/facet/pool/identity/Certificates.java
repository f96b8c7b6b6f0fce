package facet.pool.identity;

import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;

/**
 * Certificates of members (RFC 5280, RFC 8410): who signs is the pool, who is named is a node. They
 * never expire: their keys live as long as a daemon, and a clock that is wrong is to keep nobody
 * out. The JDK reads certificates and makes none; this is all that takes.
 */
final class Certificates {
    static final String ALGORITHM = "Ed25519";

    /** {@code 1.3.101.112}. */
    private static final byte[] SIGNED_WITH =
            Der.sequence(Der.identifier(new byte[] {0x2b, 101, 112}));

    /** {@code 2.5.4.3}, commonName. */
    private static final byte[] COMMON_NAME = Der.identifier(new byte[] {0x55, 4, 3});

    /** From 2020 to the date that means 'no end' (RFC 5280, 4.1.2.5). */
    private static final byte[] ALWAYS =
            Der.sequence(Der.utcTime("200101000000Z"), Der.generalizedTime("99991231235959Z"));

    private static final int VERSION_3 = 2;
    private static final int SERIAL_BITS = 127;

    private Certificates() {}

    /** Signs bytes. */
    interface Signer {
        byte[] sign(byte[] content) throws GeneralSecurityException;
    }

    static X509Certificate make(String pool, String node, PublicKey key, Signer signer)
            throws GeneralSecurityException {
        byte[] content =
                Der.sequence(
                        Der.explicit(0, Der.integer(BigInteger.valueOf(VERSION_3))),
                        Der.integer(new BigInteger(SERIAL_BITS, new SecureRandom())),
                        SIGNED_WITH,
                        name(pool),
                        ALWAYS,
                        name(node),
                        key.getEncoded());
        byte[] whole = Der.sequence(content, SIGNED_WITH, Der.bits(signer.sign(content)));
        return (X509Certificate)
                CertificateFactory.getInstance("X.509")
                        .generateCertificate(new ByteArrayInputStream(whole));
    }

    private static byte[] name(String common) {
        return Der.sequence(Der.set(Der.sequence(COMMON_NAME, Der.text(common))));
    }
}
