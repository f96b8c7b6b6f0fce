package facet.pool.identity;

import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Trusts whom the pool has signed, under whatever name and address. That the other side has the key
 * of its certificate TLS has seen to.
 */
final class PoolTrust extends X509ExtendedTrustManager {
    private final PublicKey pool;

    PoolTrust(PublicKey pool) {
        this.pool = pool;
    }

    private void check(X509Certificate @Nullable [] chain) throws CertificateException {
        if (chain == null || chain.length != 1) {
            throw new CertificateException("a member of a pool has one certificate");
        }
        try {
            chain[0].verify(pool);
        } catch (GeneralSecurityException e) {
            throw new CertificateException("another pool has signed the certificate", e);
        }
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type)
            throws CertificateException {
        check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type)
            throws CertificateException {
        check(chain);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, @Nullable Socket socket)
            throws CertificateException {
        check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, @Nullable Socket socket)
            throws CertificateException {
        check(chain);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, @Nullable SSLEngine engine)
            throws CertificateException {
        check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, @Nullable SSLEngine engine)
            throws CertificateException {
        check(chain);
    }

    /** Members send what they have without being told names. */
    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return new X509Certificate[0];
    }
}
