package facet.kube.serve;

import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * The server's certificate, made anew long before it expires; connections that come get the new
 * one.
 */
public final class ServerKeys extends X509ExtendedKeyManager {
    private static final Duration LASTS = Duration.ofDays(30);
    private static final String ALIAS = "facet";

    private final Authority authority;
    private final String name;
    private final List<String> hosts;
    private volatile Authority.Identity identity;

    public ServerKeys(Authority authority, String name, List<String> hosts, Instant now)
            throws GeneralSecurityException {
        this.authority = authority;
        this.name = name;
        this.hosts = List.copyOf(hosts);
        identity = authority.identity(name, hosts, now, LASTS);
    }

    /** Makes it anew when a third of its time is left; whether it did. */
    public boolean renew(Instant now) throws GeneralSecurityException {
        Instant end = identity.certificate().getNotAfter().toInstant();
        if (now.isBefore(end.minus(LASTS.dividedBy(3)))) {
            return false;
        }
        identity = authority.identity(name, hosts, now, LASTS);
        return true;
    }

    public X509Certificate certificate() {
        return identity.certificate();
    }

    /** Of a server that knows visitors by certificates of the same authority. */
    public SSLContext context() throws GeneralSecurityException {
        try {
            KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
            trusted.load(null, null);
            trusted.setCertificateEntry("authority", authority.certificate());
            TrustManagerFactory trust =
                    TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(trusted);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(new KeyManager[] {this}, trust.getTrustManagers(), null);
            return context;
        } catch (java.io.IOException e) {
            throw new GeneralSecurityException(e);
        }
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
    public String chooseEngineServerAlias(
            String type, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
        return ALIAS;
    }

    @Override
    public String @Nullable [] getClientAliases(String type, Principal @Nullable [] issuers) {
        return null;
    }

    @Override
    public @Nullable String chooseClientAlias(
            String[] types, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return null;
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
        return new X509Certificate[] {identity.certificate()};
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
        return identity.key();
    }
}
