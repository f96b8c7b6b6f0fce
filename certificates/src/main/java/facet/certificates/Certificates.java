package facet.certificates;

import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Makes certificates (RFC 5280) with keys of Ed25519 (RFC 8410). */
public final class Certificates {
    public static final String ALGORITHM = "Ed25519";

    /** {@code 1.3.101.112}. */
    private static final byte[] SIGNED_WITH =
            Der.sequence(Der.identifier(new byte[] {0x2b, 101, 112}));

    /** {@code 2.5.4.3}, commonName. */
    private static final byte[] COMMON_NAME = Der.identifier(new byte[] {0x55, 4, 3});

    /** {@code 2.5.29.17}, subjectAltName, and 2.5.29.19, basicConstraints. */
    private static final byte[] OTHER_NAMES = Der.identifier(new byte[] {0x55, 29, 17});

    private static final byte[] CONSTRAINTS = Der.identifier(new byte[] {0x55, 29, 19});

    /** From 2020 to the date that means 'no end' (RFC 5280, 4.1.2.5). */
    private static final byte[] ALWAYS =
            Der.sequence(Der.utcTime("200101000000Z"), Der.generalizedTime("99991231235959Z"));

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);

    private static final int VERSION_3 = 2;
    private static final int SERIAL_BITS = 127;
    private static final int DNS_NAME = 2;
    private static final int ADDRESS = 7;
    private static final int EXTENSIONS = 3;

    private Certificates() {}

    /** Signs bytes. */
    public interface Signer {
        byte[] sign(byte[] content) throws GeneralSecurityException;
    }

    /**
     * What a certificate says.
     *
     * @param issuer who signs
     * @param name who is named
     * @param hosts names by which a server is reached
     * @param addresses the same, as four or sixteen bytes
     * @param authority whether it may sign others
     * @param time from when until when; always, where there is none
     */
    public record Content(
            String issuer,
            String name,
            PublicKey key,
            List<String> hosts,
            List<byte[]> addresses,
            boolean authority,
            Optional<Period> time) {
        public Content {
            hosts = List.copyOf(hosts);
            addresses = List.copyOf(addresses);
        }

        /** One that never expires and has no other names. */
        public Content(String issuer, String name, PublicKey key) {
            this(issuer, name, key, List.of(), List.of(), false, Optional.empty());
        }
    }

    public record Period(Instant from, Instant until) {}

    public static X509Certificate make(Content what, Signer signer)
            throws GeneralSecurityException {
        List<byte[]> parts = new ArrayList<>();
        parts.add(Der.explicit(0, Der.integer(BigInteger.valueOf(VERSION_3))));
        parts.add(Der.integer(new BigInteger(SERIAL_BITS, new SecureRandom())));
        parts.add(SIGNED_WITH);
        parts.add(name(what.issuer()));
        parts.add(what.time().map(Certificates::time).orElse(ALWAYS));
        parts.add(name(what.name()));
        parts.add(what.key().getEncoded());
        List<byte[]> extensions = extensions(what);
        if (!extensions.isEmpty()) {
            parts.add(Der.explicit(EXTENSIONS, Der.sequence(extensions.toArray(byte[][]::new))));
        }
        byte[] content = Der.sequence(parts.toArray(byte[][]::new));
        byte[] whole = Der.sequence(content, SIGNED_WITH, Der.bits(signer.sign(content)));
        return (X509Certificate)
                CertificateFactory.getInstance("X.509")
                        .generateCertificate(new ByteArrayInputStream(whole));
    }

    private static byte[] time(Period period) {
        return Der.sequence(
                Der.generalizedTime(TIME.format(period.from())),
                Der.generalizedTime(TIME.format(period.until())));
    }

    private static List<byte[]> extensions(Content what) {
        List<byte[]> extensions = new ArrayList<>();
        if (what.authority()) {
            extensions.add(
                    Der.sequence(CONSTRAINTS, Der.yes(), Der.octets(Der.sequence(Der.yes()))));
        }
        List<byte[]> names = new ArrayList<>();
        for (String each : what.hosts()) {
            names.add(Der.implicit(DNS_NAME, each.getBytes(StandardCharsets.US_ASCII)));
        }
        for (byte[] each : what.addresses()) {
            names.add(Der.implicit(ADDRESS, each));
        }
        if (!names.isEmpty()) {
            extensions.add(
                    Der.sequence(
                            OTHER_NAMES, Der.octets(Der.sequence(names.toArray(byte[][]::new)))));
        }
        return extensions;
    }

    private static byte[] name(String common) {
        return Der.sequence(Der.set(Der.sequence(COMMON_NAME, Der.text(common))));
    }
}
