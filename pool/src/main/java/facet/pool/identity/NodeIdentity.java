package facet.pool.identity;

import facet.certificates.Certificates;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/** A member of a pool, as others can tell: a key of its own, with a certificate of the pool. */
public final class NodeIdentity {
    private static final String ALIAS = "node";

    /** As host names, so that no certificate writes one in another way. */
    private static final Pattern NAME =
            Pattern.compile("[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?");

    private final String node;
    private final String pool;
    private final SSLContext context;

    private NodeIdentity(String node, String pool, SSLContext context) {
        this.node = node;
        this.pool = pool;
        this.context = context;
    }

    /**
     * Makes the key and the certificate.
     *
     * @param node its name, which others are told
     */
    public static NodeIdentity of(PoolToken token, String node) {
        if (!isName(node)) {
            throw new IllegalArgumentException(
                    "a node's name has 1 to 63 letters, digits, '.', '_' and '-', not: " + node);
        }
        try {
            KeyPair pair = KeyPairGenerator.getInstance(Certificates.ALGORITHM).generateKeyPair();
            X509Certificate certificate = token.certify(node, pair.getPublic());
            SSLContext context = SSLContext.getInstance("TLSv1.3");
            context.init(
                    new KeyManager[] {new OneKey(pair.getPrivate(), certificate)},
                    new TrustManager[] {new PoolTrust(token.publicKey())},
                    null);
            return new NodeIdentity(node, token.pool(), context);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java cannot make a certificate", e);
        }
    }

    /** Whether a node can have this name. */
    public static boolean isName(String text) {
        return NAME.matcher(text).matches();
    }

    public String node() {
        return node;
    }

    public String pool() {
        return pool;
    }

    /** For connections on which both sides are members. */
    public SSLContext context() {
        return context;
    }

    /** The same key, whoever asks. */
    private static final class OneKey extends X509ExtendedKeyManager {
        private final PrivateKey key;
        private final X509Certificate certificate;

        OneKey(PrivateKey key, X509Certificate certificate) {
            this.key = key;
            this.certificate = certificate;
        }

        @Override
        public String[] getClientAliases(String type, Principal @Nullable [] issuers) {
            return new String[] {ALIAS};
        }

        @Override
        public String chooseClientAlias(
                String[] types, Principal @Nullable [] issuers, @Nullable Socket socket) {
            return ALIAS;
        }

        @Override
        public String[] getServerAliases(String type, Principal @Nullable [] issuers) {
            return new String[] {ALIAS};
        }

        @Override
        public String chooseServerAlias(
                String type, Principal @Nullable [] issuers, @Nullable Socket socket) {
            return ALIAS;
        }

        @Override
        public String chooseEngineClientAlias(
                String[] types, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
            return ALIAS;
        }

        @Override
        public String chooseEngineServerAlias(
                String type, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
            return ALIAS;
        }

        @Override
        public X509Certificate[] getCertificateChain(String alias) {
            return new X509Certificate[] {certificate};
        }

        @Override
        public PrivateKey getPrivateKey(String alias) {
            return key;
        }
    }
}
