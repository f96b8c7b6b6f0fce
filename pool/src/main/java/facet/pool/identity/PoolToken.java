package facet.pool.identity;

import facet.certificates.Certificates;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;

/**
 * The secret of a pool: an Ed25519 key that signs the certificates of its members. Whoever has it
 * is a member, and can make others; who must not be one any more is kept out by a new token.
 *
 * <pre>
 *   facet-pool-1-  base64url of:  private key, 32 bytes | public key, 32 bytes | check, 4 bytes
 * </pre>
 */
public final class PoolToken {
    private static final String PREFIX = "facet-pool-1-";
    private static final int KEY = 32;
    private static final int CHECK = 4;

    /** What stands before the 32 bytes in PKCS #8 and X.509 (RFC 8410). */
    private static final byte[] PRIVATE_HEAD =
            HexFormat.of().parseHex("302e020100300506032b657004220420");

    private static final byte[] PUBLIC_HEAD = HexFormat.of().parseHex("302a300506032b6570032100");

    private final PrivateKey privateKey;
    private final PublicKey publicKey;

    private PoolToken(PrivateKey privateKey, PublicKey publicKey) {
        this.privateKey = privateKey;
        this.publicKey = publicKey;
    }

    /** A new pool. */
    public static PoolToken generate() {
        try {
            KeyPair pair = KeyPairGenerator.getInstance(Certificates.ALGORITHM).generateKeyPair();
            return new PoolToken(pair.getPrivate(), pair.getPublic());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java has no Ed25519", e);
        }
    }

    /**
     * @throws TokenException when it is none
     */
    public static PoolToken parse(String text) throws TokenException {
        String trimmed = text.strip();
        if (!trimmed.startsWith(PREFIX)) {
            throw new TokenException("a pool token begins with " + PREFIX);
        }
        byte[] bytes;
        try {
            bytes = Base64.getUrlDecoder().decode(trimmed.substring(PREFIX.length()));
        } catch (IllegalArgumentException e) {
            throw new TokenException("the pool token has characters that no token has", e);
        }
        if (bytes.length != 2 * KEY + CHECK) {
            throw new TokenException("the pool token is not whole: copy all of it");
        }
        byte[] keys = Arrays.copyOf(bytes, 2 * KEY);
        if (!Arrays.equals(check(keys), Arrays.copyOfRange(bytes, 2 * KEY, bytes.length))) {
            throw new TokenException("the pool token was changed on its way: copy it again");
        }
        try {
            KeyFactory keysOf = KeyFactory.getInstance(Certificates.ALGORITHM);
            PoolToken token =
                    new PoolToken(
                            keysOf.generatePrivate(
                                    new PKCS8EncodedKeySpec(
                                            join(PRIVATE_HEAD, Arrays.copyOf(keys, KEY)))),
                            keysOf.generatePublic(
                                    new X509EncodedKeySpec(
                                            join(
                                                    PUBLIC_HEAD,
                                                    Arrays.copyOfRange(keys, KEY, 2 * KEY)))));
            if (!token.isPair()) {
                throw new TokenException("the keys of the pool token do not belong together");
            }
            return token;
        } catch (GeneralSecurityException e) {
            throw new TokenException("the pool token holds no key", e);
        }
    }

    private boolean isPair() throws GeneralSecurityException {
        byte[] anything = publicKey.getEncoded();
        Signature verifier = Signature.getInstance(Certificates.ALGORITHM);
        verifier.initVerify(publicKey);
        verifier.update(anything);
        return verifier.verify(sign(anything));
    }

    /** The secret itself: for a file that nobody else reads. */
    public String text() {
        byte[] encodedPrivate = privateKey.getEncoded();
        byte[] encodedPublic = publicKey.getEncoded();
        byte[] keys =
                join(
                        Arrays.copyOfRange(
                                encodedPrivate, encodedPrivate.length - KEY, encodedPrivate.length),
                        Arrays.copyOfRange(
                                encodedPublic, encodedPublic.length - KEY, encodedPublic.length));
        return PREFIX
                + Base64.getUrlEncoder().withoutPadding().encodeToString(join(keys, check(keys)));
    }

    /** Which pool it is; no secret. */
    public String pool() {
        return HexFormat.of().formatHex(digest(publicKey.getEncoded()), 0, KEY / 4);
    }

    /** Which pool it is, never the secret. */
    @Override
    public String toString() {
        return "pool " + pool();
    }

    /** What verifies its certificates. */
    PublicKey publicKey() {
        return publicKey;
    }

    /**
     * A certificate of a member: who signs is the pool, who is named is a node. It never expires:
     * keys live as long as a daemon, and a clock that is wrong is to keep nobody out.
     */
    X509Certificate certify(String node, PublicKey key) throws GeneralSecurityException {
        return Certificates.make(new Certificates.Content(pool(), node, key), this::sign);
    }

    private byte[] sign(byte[] content) throws GeneralSecurityException {
        Signature signer = Signature.getInstance(Certificates.ALGORITHM);
        signer.initSign(privateKey);
        signer.update(content);
        return signer.sign();
    }

    private static byte[] check(byte[] keys) {
        return Arrays.copyOf(digest(keys), CHECK);
    }

    private static byte[] digest(byte[] content) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(content);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java has no SHA-256", e);
        }
    }

    private static byte[] join(byte[] first, byte[] second) {
        byte[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }
}
