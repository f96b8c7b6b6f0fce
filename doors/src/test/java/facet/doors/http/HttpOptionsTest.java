package facet.doors.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HttpOptionsTest {
    @Test
    void loopbackIsUsual() {
        HttpOptions options = new HttpOptions.Given().options();
        assertEquals("127.0.0.1:7411", options.address().orElseThrow().toString());
        assertFalse(options.explicit());
    }

    @Test
    void offIsNowhere() {
        HttpOptions.Given given = new HttpOptions.Given();
        given.address("off");
        assertTrue(given.options().address().isEmpty());
        given.token(Path.of("token"));
        assertThrows(IllegalArgumentException.class, given::options);
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1:0", "127.8.9.1:80", "[::1]:7411", "localhost:7411"})
    void loopbackNeedsNothing(String address) {
        HttpOptions.Given given = new HttpOptions.Given();
        given.address(address);
        assertTrue(given.options().address().orElseThrow().isLoopback());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "---|add --token-file FILE, --tls-certificate FILE and --tls-key FILE, or",
                "t--|add --tls-certificate FILE and --tls-key FILE, or",
                "-ck|add --token-file FILE, or",
                "tc-|--tls-certificate needs --tls-key FILE too",
                "t-k|--tls-key needs --tls-certificate FILE too"
            })
    void whatOthersReachNeedsTokenAndTls(String given, String message) {
        for (String address : new String[] {"0.0.0.0:7411", "[::]:7411", "192.0.2.1:443"}) {
            HttpOptions.Given options = new HttpOptions.Given();
            options.address(address);
            if (given.charAt(0) == 't') {
                options.token(Path.of("t"));
            }
            if (given.charAt(1) == 'c') {
                options.certificate(Path.of("c"));
            }
            if (given.charAt(2) == 'k') {
                options.key(Path.of("k"));
            }
            String said =
                    String.valueOf(
                            assertThrows(IllegalArgumentException.class, options::options)
                                    .getMessage());
            assertTrue(said.contains(message), said);
        }
    }

    @Test
    void withAllThreeItMayListenAnywhere() {
        HttpOptions.Given given = new HttpOptions.Given();
        given.address("0.0.0.0:7411");
        given.token(Path.of("t"));
        given.certificate(Path.of("c"));
        given.key(Path.of("k"));
        assertFalse(given.options().address().orElseThrow().isLoopback());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "7411", ":7411", "::1:7411", "localhost", "a:b", "127.0.0.1:70000"})
    void whatIsNoAddressIsRefused(String address) {
        HttpOptions.Given given = new HttpOptions.Given();
        given.address(address);
        assertThrows(IllegalArgumentException.class, given::options);
    }

    @ParameterizedTest
    @CsvSource({
        "localhost,true",
        "LocalHost:80,true",
        "127.0.0.1:7411,true",
        "127.1.2.3,true",
        "[::1]:7411,true",
        "evil.example,false",
        "localhost.evil.example,false",
        "127.0.0.1.evil.example:7411,false",
        "'',false",
        "10.0.0.1,false"
    })
    void hostNames(String host, boolean loopback) {
        assertEquals(loopback, Hosts.isLoopback(host));
    }
}
