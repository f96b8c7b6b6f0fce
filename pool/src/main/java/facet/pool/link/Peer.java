package facet.pool.link;

import facet.pool.identity.NodeIdentity;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;

/**
 * Who is at the other end, as its certificate says.
 *
 * @param key its own: another one after each start of its daemon
 */
public record Peer(String node, PublicKey key) {
    private static final String NAME = "CN=";

    static Peer of(SSLSession session) throws SSLPeerUnverifiedException {
        X509Certificate certificate = (X509Certificate) session.getPeerCertificates()[0];
        String subject = certificate.getSubjectX500Principal().getName();
        if (!subject.startsWith(NAME) || !NodeIdentity.isName(subject.substring(NAME.length()))) {
            throw new SSLPeerUnverifiedException("the certificate names no node");
        }
        return new Peer(subject.substring(NAME.length()), certificate.getPublicKey());
    }
}
