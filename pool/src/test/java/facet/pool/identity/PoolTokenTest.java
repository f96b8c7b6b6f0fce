package facet.pool.identity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SignatureException;
import java.security.cert.X509Certificate;
import org.junit.jupiter.api.Test;

final class PoolTokenTest {
    @Test
    void tokensAreReadAsTheyWereWritten() throws Exception {
        PoolToken made = PoolToken.generate();
        PoolToken read = PoolToken.parse("  " + made.text() + "\n");
        assertEquals(made.pool(), read.pool());
        assertEquals(made.text(), read.text());
        assertNotEquals(made.pool(), PoolToken.generate().pool());
    }

    @Test
    void whatIsNoTokenIsRefusedWithAWord() {
        String text = PoolToken.generate().text();
        for (String each :
                new String[] {
                    "",
                    "facet-pool-1-",
                    "hello",
                    text.substring(0, text.length() - 4),
                    text + "AAAA",
                    text.substring(0, 40) + "!" + text.substring(41),
                }) {
            assertThrows(TokenException.class, () -> PoolToken.parse(each), each);
        }
    }

    /** Whichever character is another one. */
    @Test
    void changedTokensAreRefused() {
        String text = PoolToken.generate().text();
        for (int i = "facet-pool-1-".length(); i < text.length() - 1; i++) {
            char other = text.charAt(i) == 'A' ? 'B' : 'A';
            String changed = text.substring(0, i) + other + text.substring(i + 1);
            assertThrows(TokenException.class, () -> PoolToken.parse(changed), changed);
        }
    }

    @Test
    void nothingButTextTellsTheSecret() {
        PoolToken token = PoolToken.generate();
        assertFalse(token.toString().contains(token.text().substring(13, 30)));
        assertTrue(token.toString().contains(token.pool()));
    }

    @Test
    void certificatesAreThePoolsAlone() throws Exception {
        PoolToken pool = PoolToken.generate();
        KeyPair pair = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
        X509Certificate made = pool.certify("node-7", pair.getPublic());
        made.verify(pool.publicKey());
        made.checkValidity();
        assertEquals("CN=node-7", made.getSubjectX500Principal().getName());
        assertEquals(pair.getPublic(), made.getPublicKey());
        PoolToken other = PoolToken.generate();
        assertThrows(SignatureException.class, () -> made.verify(other.publicKey()));
    }

    @Test
    void namesOfNodesArePlain() {
        PoolToken pool = PoolToken.generate();
        for (String each : new String[] {"", "a b", "a,CN=b", "-a", "a\n", "x".repeat(64)}) {
            assertThrows(IllegalArgumentException.class, () -> NodeIdentity.of(pool, each), each);
        }
        assertEquals("gpu-3.example", NodeIdentity.of(pool, "gpu-3.example").node());
    }
}
